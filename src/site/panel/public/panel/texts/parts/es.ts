import uploads from '../../uploads/es.json' with { type: 'json' };
import shared from './es.json' with { type: 'json' };

/** The Spanish texts of the parts that load later. */
export default { ...shared, ...uploads };
