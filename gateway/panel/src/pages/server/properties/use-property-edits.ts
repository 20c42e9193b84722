import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Effects,
  type PropertiesDocument,
  propertiesQuery,
  useChangeProperties,
} from '../../../api/properties.ts';
import { asProblem } from '../../../api/transport/problem.ts';
import { type Conflict, conflictsOf, formerValues, realEdits } from './edits.ts';

export interface PropertyEdits {
  /** Changes each time the edits are saved, discarded or a conflict is resolved. */
  round: number;
  /** The file's properties with the edits. */
  stored: Readonly<Record<string, string>>;
  /** The file's properties and, for those it lacks, the game's defaults. */
  present: Readonly<Record<string, string>>;
  values: Readonly<Record<string, string>>;
  edits: Readonly<Record<string, string>>;
  conflicts: readonly Conflict[];
  busy: boolean;
  /** Why saving failed, unless it was a conflict. */
  error: unknown;
  set(property: string, value: string): void;
  /** Replaces all edits. `base`: the values that new edits were made on. */
  replace(edits: Readonly<Record<string, string>>, base: Readonly<Record<string, string>>): void;
  resolve(conflict: Conflict, whose: 'mine' | 'theirs'): void;
  reset(): void;
  /** Resolves with `undefined` if saving failed; see `conflicts` and `error`. */
  save(): Promise<SavedProperties | undefined>;
}

export interface SavedProperties {
  /** When each change is in effect. */
  effects: Effects;
  /** Puts the former values back, and resolves with false if someone has changed all of them since. Absent: they are not known. */
  undo: (() => Promise<boolean>) | undefined;
}

/** The user's edits of the properties. Changes by others to other properties are merged, changes to the same ones become conflicts. */
export function usePropertyEdits(
  instanceId: string,
  { latest, fallbacks }: { latest: PropertiesDocument; fallbacks: Readonly<Record<string, string>> },
): PropertyEdits {
  const queries = useQueryClient();
  const change = useChangeProperties(instanceId);
  const undoing = useChangeProperties(instanceId);
  const [edits, setEdits] = useState<Record<string, string>>({});
  /** For each edited property, the value that the edit was made on, or the other user's value of a resolved conflict. */
  const [seen, setSeen] = useState<Record<string, string>>({});
  const [round, setRound] = useState(0);
  const present = { ...fallbacks, ...latest.properties };
  const real = realEdits(edits, present);
  const conflicts = conflictsOf(real, { seen, latest: present });

  const set = (property: string, value: string) => {
    setSeen((before) => (property in edits ? before : { ...before, [property]: present[property] ?? '' }));
    setEdits((before) => ({ ...before, [property]: value }));
  };
  const nextRound = () => setRound((before) => before + 1);
  const reset = () => {
    setEdits({});
    setSeen({});
    nextRound();
    change.reset();
  };
  const readLatest = () => queries.fetchQuery({ ...propertiesQuery(instanceId), staleTime: 0 });
  const store = async (before: PropertiesDocument): Promise<SavedProperties> => {
    const { effects } = await change.mutateAsync({ properties: real, etag: before.etag });
    const former = formerValues(real, { ...fallbacks, ...before.properties });
    return { effects, undo: former && (() => putBack(former, real)) };
  };
  const putBack = async (former: Record<string, string>, saved: Record<string, string>) => {
    const { properties, etag } = await readLatest();
    const untouched = Object.entries(former).filter(([key]) => properties[key] === saved[key]);
    if (untouched.length === 0) return false;
    await undoing.mutateAsync({ properties: Object.fromEntries(untouched), etag });
    return true;
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
    resolve({ key, mine, theirs }, whose) {
      setSeen((before) => ({ ...before, [key]: theirs }));
      setEdits((before) => ({ ...before, [key]: whose === 'mine' ? mine : theirs }));
      nextRound();
    },
    reset,
    async save() {
      try {
        const saved = await store(latest).catch(async (error: unknown) => {
          if (asProblem(error).code !== 'precondition_failed') throw error;
          const fresh = await readLatest();
          if (conflictsOf(real, { seen, latest: { ...fallbacks, ...fresh.properties } }).length > 0) throw error;
          return store(fresh);
        });
        reset();
        return saved;
      } catch {
        return undefined;
      }
    },
  };
}
