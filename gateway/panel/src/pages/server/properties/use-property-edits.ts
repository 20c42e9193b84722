import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type PropertiesDocument, propertiesQuery, useChangeProperties } from '../../../api/properties.ts';
import { asProblem } from '../../../api/transport/problem.ts';
import { type Conflict, conflictsOf, realEdits } from './edits.ts';

export interface PropertyEdits {
  /** Another number after each time that the edits were stored, settled or taken back. */
  round: number;
  /** What the file will hold. */
  stored: Readonly<Record<string, string>>;
  /** What there is without the edits: in the file, or as the game takes it where the file says nothing. */
  present: Readonly<Record<string, string>>;
  /** What the form shows: the same with the edits, and what the game takes where the file says nothing. */
  values: Readonly<Record<string, string>>;
  edits: Readonly<Record<string, string>>;
  conflicts: readonly Conflict[];
  busy: boolean;
  /** Why saving failed, where it was no conflict. */
  error: unknown;
  set(property: string, value: string): void;
  /** Puts these in the place of all edits; `base`: the properties that new ones were made on. */
  replace(edits: Readonly<Record<string, string>>, base: Readonly<Record<string, string>>): void;
  /** Which value of a conflict counts. */
  settle(conflict: Conflict, whose: 'mine' | 'theirs'): void;
  reset(): void;
  /** True: everything is stored. False: see `conflicts` and `error`. */
  save(): Promise<boolean>;
}

/**
 * What somebody has typed on top of the properties that they saw. When others change the file meanwhile, their changes to other
 * properties are simply taken over; to the same ones both values are shown.
 */
export function usePropertyEdits(
  instanceId: string,
  { latest, fallbacks }: { latest: PropertiesDocument; fallbacks: Readonly<Record<string, string>> },
): PropertyEdits {
  const queries = useQueryClient();
  const change = useChangeProperties(instanceId);
  const [edits, setEdits] = useState<Record<string, string>>({});
  /** For each edited property the value that the edit was made on, or that was seen of somebody else's since. */
  const [seen, setSeen] = useState<Record<string, string>>({});
  const [round, setRound] = useState(0);
  const present = { ...fallbacks, ...latest.properties };
  const real = realEdits(edits, present);
  const conflicts = conflictsOf(real, { seen, latest: present });

  const set = (property: string, value: string) => {
    setSeen((before) => (property in edits ? before : { ...before, [property]: present[property] ?? '' }));
    setEdits((before) => ({ ...before, [property]: value }));
  };
  const beginAnew = () => setRound((before) => before + 1);
  const reset = () => {
    setEdits({});
    setSeen({});
    beginAnew();
    change.reset();
  };
  return {
    round,
    stored: { ...latest.properties, ...edits },
    present,
    values: { ...present, ...edits },
    edits: real,
    conflicts,
    busy: change.isPending,
    error: change.error && asProblem(change.error).code !== 'precondition_failed' ? change.error : undefined,
    set,
    replace(next, base) {
      const fresh = Object.keys(next).filter((property) => !(property in edits));
      setSeen((before) => ({
        ...before,
        ...Object.fromEntries(fresh.map((property) => [property, base[property] ?? ''])),
      }));
      setEdits({ ...next });
    },
    settle({ key, mine, theirs }, whose) {
      setSeen((before) => ({ ...before, [key]: theirs }));
      setEdits((before) => ({ ...before, [key]: whose === 'mine' ? mine : theirs }));
      beginAnew();
    },
    reset,
    async save() {
      const store = (etag: string) => change.mutateAsync({ properties: real, etag });
      try {
        await store(latest.etag).catch(async (error: unknown) => {
          if (asProblem(error).code !== 'precondition_failed') throw error;
          const fresh = await queries.fetchQuery({ ...propertiesQuery(instanceId), staleTime: 0 });
          if (conflictsOf(real, { seen, latest: { ...fallbacks, ...fresh.properties } }).length > 0) throw error;
          await store(fresh.etag);
        });
        reset();
        return true;
      } catch {
        return false; // `error` and `conflicts` say why.
      }
    },
  };
}
