import { useQueryClient } from '@tanstack/react-query';
import {
  type Effects,
  type PropertiesDocument,
  propertiesQuery,
  useChangeProperties,
} from '../../../api/properties.ts';
import { asProblem } from '../../../api/transport/problem.ts';
import { conflictsOf, formerValues, type Restored, stillSaved, type Values } from './edits.ts';

export interface SavedProperties {
  /** When each change is in effect. */
  effects: Effects;
  /** Puts back the former values of those properties that nobody has changed since. Absent: they are not known. */
  undo: (() => Promise<Restored>) | undefined;
}

export interface Storing {
  busy: boolean;
  /** Why saving failed, unless it was a conflict. */
  error: unknown;
  /** Forgets the error. */
  reset(): void;
  /** Stores edits on top of the `latest` properties, or of those that others have stored since. Throws if saving fails, or because of conflicts with the `seen` values. */
  store(edits: Values, on: { latest: PropertiesDocument; seen: Values }): Promise<SavedProperties>;
}

/** Stores properties. `fallbacks`: the game's defaults for those that the file lacks. */
export function useStoring(instanceId: string, fallbacks: Values): Storing {
  const queries = useQueryClient();
  const change = useChangeProperties(instanceId);
  const undoing = useChangeProperties(instanceId);
  const readLatest = () => queries.fetchQuery({ ...propertiesQuery(instanceId), staleTime: 0 });

  const storeOn = async (before: PropertiesDocument, edits: Values): Promise<SavedProperties> => {
    const { effects } = await change.mutateAsync({ properties: { ...edits }, etag: before.etag });
    const former = formerValues(edits, { ...fallbacks, ...before.properties });
    return { effects, undo: former && (() => putBack(former, edits)) };
  };
  const putBack = async (former: Values, saved: Values): Promise<Restored> => {
    const { properties, etag } = await readLatest();
    const restored = stillSaved(saved, properties);
    const values = Object.fromEntries(restored.map((key) => [key, former[key] ?? '']));
    if (restored.length > 0) await undoing.mutateAsync({ properties: values, etag });
    return { restored, skipped: Object.keys(saved).filter((key) => !restored.includes(key)) };
  };
  return {
    busy: change.isPending,
    error: isConflict(change.error) ? undefined : (change.error ?? undefined),
    reset: change.reset,
    async store(edits, { latest, seen }) {
      try {
        return await storeOn(latest, edits);
      } catch (error) {
        if (!isConflict(error)) throw error;
        const fresh = await readLatest();
        if (conflictsOf(edits, { seen, latest: { ...fallbacks, ...fresh.properties } }).length > 0) throw error;
        return storeOn(fresh, edits);
      }
    },
  };
}

function isConflict(error: unknown): boolean {
  return error !== null && asProblem(error).code === 'precondition_failed';
}
