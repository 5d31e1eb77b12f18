import app from '../../app/es.json' with { type: 'json' };
import events from '../../events/es.json' with { type: 'json' };
import race from '../../race/es.json' with { type: 'json' };
import runners from '../../runners/es.json' with { type: 'json' };
import shared from './es.json' with { type: 'json' };

/** The Spanish texts of the first load. */
export default { ...shared, ...app, ...events, ...race, ...runners };
