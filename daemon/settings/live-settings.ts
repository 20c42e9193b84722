import { createHmac } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import type { DaemonService } from '../../shared/contract/daemon.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { writeFileAtomically } from '../../shared/node/files/atomic-file.ts';
import {
  overriddenBy,
  parseSettings,
  readSettings,
  SettingsError,
  type SettingsFile,
  withEnvironment,
} from '../../shared/node/files/settings-file.ts';
import { createBroadcast } from '../../shared/node/primitives/broadcast.ts';
import { createMutex } from '../../shared/node/primitives/mutex.ts';
import { unmaskSecrets } from '../../shared/schema/masked-secrets.ts';
import { mergePatch } from '../../shared/schema/merge-patch.ts';
import { type Settings, settings as settingsSchema } from '../../shared/schema/settings.ts';
import { checkSettings } from './check-settings.ts';

/** The settings of a running daemon, which change while it runs. */
export interface LiveSettings extends Pick<DaemonService, 'settingsDocument' | 'updateSettings' | 'watchSettings'> {
  /** What holds now. */
  current(): Settings;
}

export interface LiveSettingsOptions {
  /** Path of `settings.json`. */
  file: string;
  env: NodeJS.ProcessEnv;
  /** What holds to begin with: the file with the environment over it. */
  initial: Settings;
  /** Secret that keeps a version from telling anything about the document. */
  key: string;
  /**
   * Puts new settings into force, before they are stored. What it throws refuses them; then everything is as it was. Called with the
   * former settings again if the new ones cannot be stored.
   */
  take(next: Settings): Promise<void>;
  /** Told when new settings are in force and stored; a change waits for it. */
  onChange(next: Settings): Promise<void>;
}

export function createLiveSettings({ file, env, initial, key, take, onChange }: LiveSettingsOptions): LiveSettings {
  const changes = createBroadcast<Settings>();
  const mutex = createMutex();
  let current = initial;

  const versionOf = (text: string) => createHmac('sha256', key).update('settings').update(text).digest('base64url');

  /** Read anew each time: what an owner has edited meanwhile is neither hidden nor overwritten. */
  const read = () => readSettings(file).catch(asConflict);

  function document({ text, stored }: Pick<SettingsFile, 'text' | 'stored'>) {
    return { stored, current, version: versionOf(text), overridden: overriddenBy(env) };
  }

  async function put(next: Settings, text: string): Promise<void> {
    const former = current;
    await take(next);
    try {
      await store(file, text);
    } catch (error) {
      await take(former);
      throw error;
    }
    current = next;
    changes.publish(next);
    await onChange(next);
  }

  return {
    current: () => current,
    settingsDocument: async () => document(await read()),
    updateSettings: ({ change, version }) =>
      mutex.run(async () => {
        const before = await read();
        if (version !== undefined && version !== versionOf(before.text))
          throw new GamekeeperError('precondition_failed', 'The settings have changed since you read them.');
        const { stored, next, text } = asRefusal(() => merged(before, change, env));
        await put(next, text);
        return document({ text, stored });
      }),
    async *watchSettings(signal) {
      const following = changes.subscribe(signal);
      yield current;
      yield* following;
    },
  };
}

/** Where the file is a symbolic link, what it leads to is replaced. Throws a coded error for what can be mended. */
async function store(file: string, text: string): Promise<void> {
  try {
    await writeFileAtomically(await realpath(file).catch(() => file), text); // The first change makes it.
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
    if (reason === 'ENOSPC' || reason === 'EDQUOT')
      throw new GamekeeperError('insufficient_storage', 'The disk has no room for settings.json.', { cause });
    throw new GamekeeperError('invalid_state', `settings.json cannot be written (${reason}); nothing was changed.`, {
      resolution: 'Make the data directory and settings.json writable for the user that runs Gamekeeper.',
      cause,
    });
  }
}

/** The file as the change leaves it. Throws SettingsError for what is not allowed. */
function merged(before: SettingsFile, change: Record<string, unknown>, env: NodeJS.ProcessEnv) {
  const missing = (place: string) => new SettingsError(`${place}: no secret is stored that "********" could stand for`);
  const revealed = unmaskSecrets(settingsSchema, change, { stored: before.stored, missing });
  const document = mergePatch(before.document, revealed as Record<string, unknown>, before.stored);
  const stored = parseSettings(document);
  const next = withEnvironment(stored, env);
  checkSettings(next);
  return { stored, next, text: `${JSON.stringify(document, null, 2)}\n` };
}

/** A change that is not allowed is the fault of whoever asked for it. */
function asRefusal<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const problems = error.message.replaceAll(/^ *- /gm, '').replaceAll('\n', '; ');
    throw new GamekeeperError('invalid_request', problems, {
      resolution: 'Correct what the detail names; nothing was changed.',
      cause: error,
    });
  }
}

/** A file that was spoilt by hand is not the fault of whoever asks. */
function asConflict(error: unknown): never {
  if (!(error instanceof SettingsError)) throw error;
  throw new GamekeeperError('invalid_state', error.message, {
    resolution: 'Correct settings.json by hand; until then the settings that hold go on to hold.',
    cause: error,
  });
}
