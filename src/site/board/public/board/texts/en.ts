import certificate from '../certificate/en.json' with { type: 'json' };
import board from './en.json' with { type: 'json' };

/** The English texts of the board. */
export default { ...board, ...certificate };
