import { startCopying } from './copy.js';
import { startSamples } from './samples.js';
import { startSearch } from './search.js';

startSamples();
startCopying();
startSearch();
