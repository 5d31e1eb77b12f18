import './languages.ts';
import './samples.ts';
import './copy.ts';
import './search.ts';
import './guides.ts';
