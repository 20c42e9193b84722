import type { PendingChange } from '../../../shared/domain/instance/runtime.ts';
import { isSecretProperty } from '../../../shared/domain/properties/known-properties.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { GameRun } from '../game/watch-game.ts';
import type { ChangedProperty } from '../properties/instance-properties.ts';
import { isSameValue, type NotedValue, noteValue, settingsAtStart } from './settings-at-start.ts';

/** Limits the size of the record and of every update. */
const MOST_CHANGES = 100;

/**
 * What waits for the next start while a game runs: changed settings, and a restart that waits until nobody is online. It is part of the game's
 * record, so another supervisor continues it, and it ends with the game.
 */
export class PendingRestart {
  #run: GameRun | undefined;

  /** Call this when a game process was started or recovered. */
  follow(run: GameRun): void {
    this.#run = run;
  }

  /** Call this when the game process has ended. */
  forget(): void {
    this.#run = undefined;
  }

  /** True if the server restarts once nobody is online. */
  get waitsForEmpty(): boolean {
    return this.#run?.onRecord.restartWhenEmpty === true;
  }

  /** Returns the changes since the start; empty without a game, and for one that an earlier version has started. At most 100. */
  changes(config: InstanceConfig): PendingChange[] {
    if (!this.#run) return [];
    const { startedWith = {}, changedProperties = {} } = this.#run.onRecord;
    const now = settingsAtStart(config, this.#run.rules.definition);
    const settings = Object.entries(startedWith).flatMap(([setting, running]) => {
      const configured = now[setting];
      return configured === undefined || isSameValue(running, configured)
        ? []
        : [toChange(setting, { running, configured })];
    });
    const properties = Object.entries(changedProperties).map(([key, values]) => toChange(`properties.${key}`, values));
    return [...settings, ...properties].slice(0, MOST_CHANGES);
  }

  /** Notes changes of `server.properties`, which the game has read. Resolves once they are on record. */
  async noteProperties(changes: readonly ChangedProperty[]): Promise<void> {
    if (!this.#run || changes.length === 0) return;
    const known = new Map(Object.entries(this.#run.onRecord.changedProperties ?? {}));
    for (const { key, before, after } of changes) {
      const isSecret = isSecretProperty(key);
      const running = known.get(key)?.running ?? noteValue(before, { isSecret });
      const configured = noteValue(after, { isSecret });
      if (isSameValue(running, configured)) known.delete(key);
      else if (known.has(key) || known.size < MOST_CHANGES) known.set(key, { running, configured });
    }
    await this.#run.note({ changedProperties: Object.fromEntries(known) });
  }

  /** Notes that the running game has taken these values of properties. */
  async noteTaken(taken: Readonly<Record<string, string>>, config: InstanceConfig): Promise<void> {
    if (!this.#run || Object.keys(taken).length === 0) return;
    const { startedWith, changedProperties = {} } = this.#run.onRecord;
    const left = Object.entries(changedProperties).filter(([key]) => taken[key] === undefined);
    const { 'max-players': limit } = taken;
    await this.#run.note({
      changedProperties: Object.fromEntries(left),
      // While the setting has no value, the property belongs to the file alone.
      ...(startedWith &&
        limit !== undefined && {
          startedWith: { ...startedWith, maxPlayers: config.maxPlayers === undefined ? '' : limit },
        }),
    });
  }

  /** Has the server restart once nobody is online, or no longer. Resolves once that is on record. */
  async waitForEmpty(isWanted: boolean): Promise<void> {
    if (this.waitsForEmpty !== isWanted) await this.#run?.note({ restartWhenEmpty: isWanted });
  }
}

function toChange(
  setting: string,
  { running, configured }: { running: NotedValue; configured: NotedValue },
): PendingChange {
  return {
    setting,
    ...(typeof running === 'string' && { running }),
    ...(typeof configured === 'string' && { configured }),
  };
}
