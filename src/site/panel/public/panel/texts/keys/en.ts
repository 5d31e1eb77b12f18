import keys from '../../keys/en.json' with { type: 'json' };

/** The English texts of the keys. */
export default keys;
