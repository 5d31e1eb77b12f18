import keys from '../../keys/en.json' with { type: 'json' };
import shared from '../parts/en.json' with { type: 'json' };

/** The English texts of the keys. */
export default { ...shared, ...keys };
