import points from '../../points/es.json' with { type: 'json' };
import uploads from '../../uploads/es.json' with { type: 'json' };

/** The Spanish texts of a race’s uploads. */
export default { ...points, ...uploads };
