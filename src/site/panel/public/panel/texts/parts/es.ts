import board from '../../board/es.json' with { type: 'json' };
import downloads from '../../downloads/es.json' with { type: 'json' };
import history from '../../history/es.json' with { type: 'json' };
import keys from '../../keys/es.json' with { type: 'json' };
import official from '../../official/es.json' with { type: 'json' };
import points from '../../points/es.json' with { type: 'json' };
import ranking from '../../ranking/es.json' with { type: 'json' };
import runner from '../../runner/es.json' with { type: 'json' };
import sendFile from '../../send-file/es.json' with { type: 'json' };
import starts from '../../starts/es.json' with { type: 'json' };
import uploads from '../../uploads/es.json' with { type: 'json' };
import shared from './es.json' with { type: 'json' };

/** The Spanish texts of the later parts. */
export default {
  ...shared,
  ...board,
  ...downloads,
  ...history,
  ...keys,
  ...official,
  ...points,
  ...ranking,
  ...runner,
  ...sendFile,
  ...starts,
  ...uploads,
};
