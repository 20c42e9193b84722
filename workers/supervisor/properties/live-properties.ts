import { effectOf, liveChange } from '../../../shared/domain/properties/live-property.ts';
import type { Effect } from '../../../shared/domain/properties/property.ts';
import { createMutex } from '../../../shared/node/primitives/mutex.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import type { FolderLock } from '../folder/folder-lock.ts';
import { mayBeAnyGame, rulesOf } from '../game/game-rules.ts';
import type { InstanceSettings } from '../instance-settings.ts';
import type { Lifecycle } from '../lifecycle/lifecycle.ts';
import type { Log } from '../own-process/process-log.ts';
import { giveValues } from './give-values.ts';
import type {
  ChangedProperties,
  InstanceProperties,
  PropertiesChange,
  PropertiesResource,
} from './instance-properties.ts';
import { undoGamesWriting } from './properties-file.ts';

export interface LivePropertiesOptions {
  settings: Pick<InstanceSettings, 'current'>;
  properties: Pick<InstanceProperties, 'change'>;
  lifecycle: Pick<Lifecycle, 'game' | 'rules' | 'phase' | 'isAtRest' | 'exclusively'>;
  folderLock: Pick<FolderLock, 'activity'>;
  console: Pick<ConsoleLog, 'redact'>;
  /** Returns true if the running game has shown that it is a Minecraft server. */
  seemsMinecraft: () => boolean;
  log: Log;
}

/** The properties of an instance, whose running server takes some of them without a restart. */
export interface LiveProperties {
  /**
   * Changes the file, then gives the running server the values that it can take. `effects` has the changed properties: a value that the
   * server did not confirm is in effect from the next start. Throws as `InstanceProperties.change` does.
   */
  change(change: PropertiesChange): Promise<PropertiesResource & { effects: Record<string, Effect> }>;
}

export function createLiveProperties(options: LivePropertiesOptions): LiveProperties {
  const { settings, properties, lifecycle, folderLock, console, seemsMinecraft, log } = options;
  /** A change must not begin before the file of the previous one is as it was written. */
  const mutex = createMutex();

  /** Returns the keys of the values that the running server has confirmed. */
  async function give({ changes, file }: ChangedProperties): Promise<ReadonlySet<string>> {
    const { game, rules, phase } = lifecycle;
    if (!game || !rules || phase !== 'running') return new Set();
    const { definition } = rules;
    if (mayBeAnyGame(definition, game) && !seemsMinecraft()) return new Set();
    const live = new Map(
      Object.entries(changes).flatMap(([key, value]) => {
        const found = liveChange(key, value, definition);
        return found ? [[key, found]] : [];
      }),
    );
    if (live.size === 0) return new Set();
    const confirmed = await giveValues(game, live, { redact: (text) => console.redact(text), log });
    // With each property that it takes and stores, as after `whitelist on`, vanilla writes all others as it read them at its start.
    await lifecycle.exclusively(async () => {
      const isFree = lifecycle.isAtRest && folderLock.activity === undefined;
      if (lifecycle.game === game || isFree) await undoGamesWriting(file);
    });
    return confirmed;
  }

  return {
    change: (change) =>
      mutex.run(async () => {
        const changed = await properties.change(change);
        const confirmed = await give(changed);
        const { definition } = rulesOf(settings.current);
        const effects = Object.keys(changed.changes).map((key) => [
          key,
          effectOf(key, definition, { isTaken: confirmed.has(key) }),
        ]);
        const { properties: values, etag } = changed;
        return { properties: values, etag, effects: Object.fromEntries(effects) };
      }),
  };
}
