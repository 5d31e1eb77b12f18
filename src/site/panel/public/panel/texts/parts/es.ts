import board from '../../board/es.json' with { type: 'json' };
import copy from '../../copy/es.json' with { type: 'json' };
import downloads from '../../downloads/es.json' with { type: 'json' };
import history from '../../history/es.json' with { type: 'json' };
import official from '../../official/es.json' with { type: 'json' };
import onCourse from '../../on-course/es.json' with { type: 'json' };
import ranking from '../../ranking/es.json' with { type: 'json' };
import runner from '../../runner/es.json' with { type: 'json' };
import starts from '../../starts/es.json' with { type: 'json' };
import warnings from '../../warnings/es.json' with { type: 'json' };

/** The Spanish texts of the further parts. */
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
