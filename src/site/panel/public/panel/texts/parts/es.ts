import points from '../../points/es.json' with { type: 'json' };
import sendFile from '../../send-file/es.json' with { type: 'json' };
import uploads from '../../uploads/es.json' with { type: 'json' };
import shared from './es.json' with { type: 'json' };

/** The Spanish texts of the parts that load later. */
export default { ...shared, ...points, ...sendFile, ...uploads };
