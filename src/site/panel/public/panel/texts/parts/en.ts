import points from '../../points/en.json' with { type: 'json' };
import sendFile from '../../send-file/en.json' with { type: 'json' };
import uploads from '../../uploads/en.json' with { type: 'json' };
import shared from './en.json' with { type: 'json' };

/** The English texts of the parts that load later. */
export default { ...shared, ...points, ...sendFile, ...uploads };
