import points from '../../points/en.json' with { type: 'json' };
import uploads from '../../uploads/en.json' with { type: 'json' };

/** The English texts of a race’s uploads. */
export default { ...points, ...uploads };
