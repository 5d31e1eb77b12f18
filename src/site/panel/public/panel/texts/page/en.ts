import app from '../../app/en.json' with { type: 'json' };
import events from '../../events/en.json' with { type: 'json' };
import race from '../../race/en.json' with { type: 'json' };
import runners from '../../runners/en.json' with { type: 'json' };
import shared from './en.json' with { type: 'json' };

/** The English texts of the first load. */
export default { ...shared, ...app, ...events, ...race, ...runners };
