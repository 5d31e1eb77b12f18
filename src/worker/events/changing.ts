import type { Answers } from '../db/client.ts';
import { cancelStreams } from '../db/row-stream.ts';
import type { Statement } from '../db/statement.ts';
import type { Asked, Endpoint } from '../http/endpoint.ts';
import { eventNotFound } from '../http/validation.ts';
import type { LogFields } from '../log.ts';

/** The outcome of a write. */
export type Outcome = {
  answer: Response;
  /** Fields for the line of the request. */
  logged?: Partial<LogFields>;
  /** False if nothing was written, as in a dry run. */
  isChanged?: boolean;
};

/** Statements; the first statement finds the event. */
type FindingEvent = readonly [Statement<object[]>, ...Statement[]];

/**
 * An endpoint with which a person changes an event or its results: answers 404 if the caller has no such event, writes,
 * logs and purges the event's board. Uploads purge nothing: their results reach a board within seconds.
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
  /** Whether the change hides a name: then purges of more boards wait for this purge. */
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
