import { useEffect, useState } from 'preact/hooks';
import { STATUS_RULES } from '../../read/result-status.ts';
import type { Runner } from '../api.ts';
import { exactTime } from '../formats.ts';
import { useTyped } from '../typed.ts';
import { changeIn, type Entered } from './correction.ts';

/** The reader's input in the form of a result. */
type Typed = Partial<Entered> & { readonly reason?: string };

/** A form without a result. */
const EMPTY: Entered = { status: 'FINISHED', chip_time: '', gun_time: '' };

/** The stored result, in the form's fields. */
const storedOf = ({ result }: Runner): Entered | undefined =>
  result
    ? {
        status: result.status,
        chip_time: exactTime(result.chip_time ?? ''),
        gun_time: exactTime(result.gun_time ?? ''),
      }
    : undefined;

/**
 * The form of a result: the reader's input over the stored values. When another user changes the result, typed fields
 * stay, all other fields take the new stored values, and `isOvertaken` says so.
 */
export function useForm(race: string, runner: Runner) {
  const [base, setBase] = useState(runner);
  const [typed, type] = useTyped<Typed>(`runner ${race} ${runner.inscription_id}`, {});
  const [isOvertaken, setOvertaken] = useState(false);
  /** The list may show the reader's own change before the API answers. */
  const [isChanging, setChanging] = useState(false);
  const stored = storedOf(base);
  const { reason = '', ...fields } = typed;
  const entered: Entered = { ...(stored ?? EMPTY), ...fields };
  useEffect(() => {
    if (isChanging || runner.version === base.version) return;
    const isTyped = reason !== '' || changeIn(entered, stored, STATUS_RULES.FINISHED) !== undefined;
    if (!isTyped) type({});
    setOvertaken(isTyped);
    setBase(runner);
  }, [runner.version, isChanging]);
  async function changing(work: () => Promise<unknown>) {
    setChanging(true);
    setOvertaken(false);
    try {
      await work();
    } finally {
      setChanging(false);
    }
  }
  return { base, stored, typed, type, entered, reason, isOvertaken, changing };
}

export type Form = ReturnType<typeof useForm>;
