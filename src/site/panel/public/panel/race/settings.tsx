import { CopySettings } from '../copy/copy.tsx';
import { raceTime, textOfParts as text } from '../formats.ts';
import { RaceHistory } from '../history/history.tsx';
import { Fold, type RaceSetting } from '../kit.tsx';
import { Course } from '../points/course-form.tsx';
import { Prizes } from '../ranking/prizes.tsx';
import { Ranking } from '../ranking/ranking.tsx';
import { Starts } from '../starts/starts.tsx';

/** The settings of a race, each under its line, in the order in which an organizer needs them. */
export const Settings = ({ race, changed }: RaceSetting) => (
  <>
    <div class="settings card">
      <Fold
        id="starts"
        title={text('starts')}
        value={race.first_start_at === null ? '' : raceTime(race.first_start_at)}
        isOpen={race.first_start_at === null}
      >
        <Starts race={race} />
      </Fold>
      <Fold id="course" title={text('course')}>
        <Course race={race} />
      </Fold>
      <Fold id="ranking" title={text('ranking')} value={text(`rankedBy.${race.ranking_rule}`)}>
        <div class="stack">
          <Ranking race={race} changed={changed} />
          <Prizes race={race} changed={changed} />
        </div>
      </Fold>
      <Fold id="copy" title={text('copySettings')}>
        <CopySettings race={race} changed={changed} />
      </Fold>
      <Fold id="race-history" title={text('raceHistory')}>
        <RaceHistory race={race} />
      </Fold>
    </div>
    <p class="hint">{text('raceElsewhere')}</p>
  </>
);
