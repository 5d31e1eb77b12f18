import './languages.js';
import './samples.js';
import './copy.js';
import './search.js';
