import type { Answers } from '../db/client.ts';
import { cancelStreams } from '../db/row-stream.ts';
import type { Statement } from '../db/statement.ts';
import type { Asked, Endpoint } from '../http/endpoint.ts';
import { eventNotFound } from '../http/validation.ts';
import type { LogFields } from '../log.ts';

/** The outcome of a write. */
type Outcome = {
  answer: Response;
  /** Fields for the line of the request. */
  logged?: Partial<LogFields>;
  /** False if nothing was written, as in a dry run. */
  isChanged?: boolean;
};

/** Statements of which the first one finds the event. */
type FindingEvent = readonly [Statement<object[]>, ...Statement[]];

/**
 * An endpoint with which somebody changes an event or its results by hand: it answers 404 if the caller has no such event,
 * writes, logs and purges the event's board. Uploads purge nothing: what a board shows of them is seconds old.
 */
export const changing = <
  Caller,
  Param extends { event_id: string },
  Query,
  Body,
  const S extends FindingEvent,
>({
  hidesName = false,
  write,
  ...endpoint
}: Omit<Endpoint<Caller, Param, Query, unknown, Body, S>, 'answer'> & {
  /** Whether the change hides a name: then other boards wait for this one's purge. */
  hidesName?: boolean;
  write: (
    answers: Answers<S>,
    asked: Asked<Caller, Param, Query, unknown, Body>,
  ) => Outcome | Promise<Outcome>;
}): Endpoint<Caller, Param, Query, unknown, Body, S> => ({
  ...endpoint,
  async answer(answers, asked) {
    const [events]: Answers<FindingEvent> = answers;
    if (events.length === 0) {
      cancelStreams(answers);
      throw eventNotFound();
    }
    const { answer, logged, isChanged = true } = await write(answers, asked);
    const { c, param } = asked;
    Object.assign(c.get('logFields'), logged);
    if (isChanged) {
      c.executionCtx.waitUntil(c.get('services').purgeBoard(param.event_id, hidesName));
    }
    return answer;
  },
});
