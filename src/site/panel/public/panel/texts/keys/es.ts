import keys from '../../keys/es.json' with { type: 'json' };

/** The Spanish texts of the keys. */
export default keys;
