import board from '../../board/en.json' with { type: 'json' };
import downloads from '../../downloads/en.json' with { type: 'json' };
import history from '../../history/en.json' with { type: 'json' };
import keys from '../../keys/en.json' with { type: 'json' };
import official from '../../official/en.json' with { type: 'json' };
import points from '../../points/en.json' with { type: 'json' };
import ranking from '../../ranking/en.json' with { type: 'json' };
import runner from '../../runner/en.json' with { type: 'json' };
import sendFile from '../../send-file/en.json' with { type: 'json' };
import starts from '../../starts/en.json' with { type: 'json' };
import uploads from '../../uploads/en.json' with { type: 'json' };
import shared from './en.json' with { type: 'json' };

/** The English texts of the later parts. */
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
