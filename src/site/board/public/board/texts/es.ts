import certificate from '../certificate/es.json' with { type: 'json' };
import board from './es.json' with { type: 'json' };

/** The Spanish texts of the board. */
export default { ...board, ...certificate };
