import { SCOPES } from '../../shared/domain/access/scope.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Identity } from '../auth/identity.ts';
import { WORK, type Work, type WorkLimit } from './work-table.ts';

/** Most of this work takes seconds to minutes. */
const RETRY_AFTER_SECONDS = 10;

/** Counts the work under way against its limits. */
export interface WorkPlaces {
  /** Takes a place. Throws `rate_limited` if there is none. Returns how to give it back. */
  take(work: Work, by: Worker): () => void;
  /** Work under way, of all kinds. */
  readonly taken: number;
}

export interface Worker {
  identity: Pick<Identity, 'kind' | 'username' | 'credential' | 'role' | 'scopes'>;
  instance: string | undefined;
}

/**
 * Administrators with every scope have places of their own, so that nobody with fewer rights can keep them from working. The local
 * administrator is not limited, and neither are schedules, which do not come through here.
 */
export function createWorkPlaces(limits: Readonly<Record<Work, WorkLimit>> = WORK): WorkPlaces {
  const counts = new Map<string, number>();
  let taken = 0;

  function change(places: readonly Place[], by: number): void {
    for (const { key } of places) {
      const count = (counts.get(key) ?? 0) + by;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    }
    taken += by;
  }

  return {
    get taken() {
      return taken;
    },
    take(work, by) {
      if (by.identity.kind === 'local') return () => undefined;
      const limit = limits[work];
      const places = placesOf(work, limit, by);
      const full = places.find(({ key, most }) => (counts.get(key) ?? 0) >= most);
      if (full) throw tooMany(limit, full);
      change(places, 1);
      let isOver = false;
      return () => {
        if (!isOver) change(places, -1);
        isOver = true;
      };
    },
  };
}

interface Place {
  /** Identifies what is counted. */
  key: string;
  most: number;
  whose: string;
}

function placesOf(work: Work, limit: WorkLimit, { identity, instance }: Worker): Place[] {
  const group = `${work} ${isFullAdministrator(identity) ? 'administrators' : 'others'}`;
  // A user can sign in any number of times.
  const user = identity.kind === 'session' ? `user ${identity.username.toLowerCase()}` : identity.credential;
  const places: Place[] = [];
  const count = (most: number | undefined, whose: string, of: string) => {
    if (most !== undefined) places.push({ key: `${group} ${of}`, most, whose });
  };
  if (instance !== undefined) {
    count(limit.onInstance?.perUser, 'of this credential on this server', `${instance} ${user}`);
    count(limit.onInstance?.all, 'on this server', `${instance}`);
  }
  count(limit.perUser, 'of this credential', `all ${user}`);
  count(limit.total, 'in total', '');
  return places;
}

function isFullAdministrator({ role, scopes }: Worker['identity']): boolean {
  return role === 'admin' && SCOPES.every((scope) => scopes.has(scope));
}

function tooMany({ what }: WorkLimit, { most, whose }: Place): GamekeeperError {
  return new GamekeeperError('rate_limited', `${most} ${what} are under way ${whose}, which is the limit.`, {
    resolution: 'Wait until one has ended, or cancel a job at DELETE /jobs/{jobId}.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
