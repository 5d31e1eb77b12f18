import points from '../../points/es.json' with { type: 'json' };
import sendFile from '../../send-file/es.json' with { type: 'json' };
import uploads from '../../uploads/es.json' with { type: 'json' };
import shared from '../parts/es.json' with { type: 'json' };

/** The Spanish texts of a race’s uploads. */
export default { ...shared, ...points, ...sendFile, ...uploads };
