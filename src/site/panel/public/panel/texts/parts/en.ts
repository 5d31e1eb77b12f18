import uploads from '../../uploads/en.json' with { type: 'json' };
import shared from './en.json' with { type: 'json' };

/** The English texts of the parts that load later. */
export default { ...shared, ...uploads };
