import board from '../../board/en.json' with { type: 'json' };
import copy from '../../copy/en.json' with { type: 'json' };
import downloads from '../../downloads/en.json' with { type: 'json' };
import history from '../../history/en.json' with { type: 'json' };
import official from '../../official/en.json' with { type: 'json' };
import onCourse from '../../on-course/en.json' with { type: 'json' };
import ranking from '../../ranking/en.json' with { type: 'json' };
import runner from '../../runner/en.json' with { type: 'json' };
import starts from '../../starts/en.json' with { type: 'json' };
import warnings from '../../warnings/en.json' with { type: 'json' };

/** The English texts of the further parts. */
export default {
  ...board,
  ...copy,
  ...downloads,
  ...history,
  ...official,
  ...onCourse,
  ...ranking,
  ...runner,
  ...starts,
  ...warnings,
};
