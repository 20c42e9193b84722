import { useState } from 'react';
import type { PropertiesDocument } from '../../../api/properties.ts';
import { type Conflict, conflictsOf, realEdits } from './edits.ts';
import { type SavedProperties, useStoring } from './use-storing.ts';

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

/** The user's edits of the properties. Changes by others to other properties are merged, changes to the same ones become conflicts. */
export function usePropertyEdits(
  instanceId: string,
  { latest, fallbacks }: { latest: PropertiesDocument; fallbacks: Readonly<Record<string, string>> },
): PropertyEdits {
  const storing = useStoring(instanceId, fallbacks);
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
    storing.reset();
  };
  return {
    round,
    stored: { ...latest.properties, ...edits },
    present,
    values: { ...present, ...edits },
    edits: real,
    conflicts,
    busy: storing.busy,
    error: storing.error,
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
        const saved = await storing.store(real, { latest, seen });
        reset();
        return saved;
      } catch {
        return undefined;
      }
    },
  };
}
