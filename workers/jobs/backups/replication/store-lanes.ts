import { type BackOff, backOffDelay } from '../../../../shared/domain/back-off.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { StoreSettings } from '../../../../shared/schema/backup-settings.ts';
import type { ReplicaRow } from './replicas.ts';
import { LONGEST_PAUSE_MS } from './replication-plan.ts';

/** Short enough for a disk that is plugged in again, long enough for one that stays away for weeks. */
const BACK_OFF: BackOff = { firstMs: 30_000, maxMs: LONGEST_PAUSE_MS };

export interface Lane {
  busy: boolean;
  /** How many times in a row the store itself failed. */
  failures: number;
  /** The store is left alone until then, milliseconds since the epoch. */
  notBefore: number;
  /** Its configuration as of the last look. */
  settings: string;
}

/** One lane per store, so that stores do not wait for each other. */
export class StoreLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #jitter: () => number;

  /** `jitter` returns a number from 0 to 1. */
  constructor(jitter: () => number) {
    this.#jitter = jitter;
  }

  get(store: string): Lane | undefined {
    return this.#lanes.get(store);
  }

  /** Creates the lane of a new store. Returns true, and forgets its failures, if the store is new or its settings changed. */
  configure(store: StoreSettings): boolean {
    const settings = JSON.stringify(store);
    const lane = this.#lanes.get(store.name) ?? { busy: false, failures: 0, notBefore: 0, settings: '' };
    this.#lanes.set(store.name, lane);
    if (lane.settings === settings) return false;
    Object.assign(lane, { failures: 0, notBefore: 0, settings });
    return true;
  }

  keepOnly(stores: ReadonlySet<string>): void {
    for (const [name, { busy }] of this.#lanes) if (!busy && !stores.has(name)) this.#lanes.delete(name);
  }

  release(store: string): void {
    const lane = this.#lanes.get(store);
    if (lane) lane.notBefore = 0;
  }

  /** Returns true if the store had failed before. */
  succeeded(store: string): boolean {
    const lane = this.#lanes.get(store);
    if (!lane || lane.failures === 0) return false;
    lane.failures = 0;
    return true;
  }

  /** Returns the pause before the next attempt, milliseconds. If the store itself failed, nothing else is tried there meanwhile. */
  failed(row: ReplicaRow, error: unknown, now: number): number {
    const lane = this.#lanes.get(row.store);
    if (!lane || !(error instanceof GamekeeperError && error.code.startsWith('store_')))
      return backOffDelay(BACK_OFF, row.attempts + 1, this.#jitter());
    lane.failures++;
    const delay = backOffDelay(BACK_OFF, lane.failures, this.#jitter());
    lane.notBefore = now + delay;
    return delay;
  }
}
