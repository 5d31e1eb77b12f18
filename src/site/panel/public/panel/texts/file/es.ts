import file from '../../send-file/es.json' with { type: 'json' };

/** The Spanish texts of a chosen file. */
export default file;
