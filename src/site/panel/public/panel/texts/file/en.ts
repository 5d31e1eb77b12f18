import file from '../../send-file/en.json' with { type: 'json' };

/** The English texts of a chosen file. */
export default file;
