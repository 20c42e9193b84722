import { createHmac } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import type { DaemonService } from '../../shared/contract/daemon.ts';
import { errorCode } from '../../shared/errors/error-code.ts';
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

/** The settings of a running daemon. */
export interface LiveSettings extends Pick<DaemonService, 'settingsDocument' | 'updateSettings' | 'watchSettings'> {
  /** Returns the settings that apply now. */
  current(): Settings;
  /** Sets a listener that runs after new settings are applied and stored. The change waits for it. */
  onChange(listener: (next: Settings) => Promise<void>): void;
}

export interface LiveSettingsOptions {
  /** Path of `settings.json`. */
  file: string;
  env: NodeJS.ProcessEnv;
  /** The settings at the start: the file, overridden by the environment. */
  initial: Settings;
  /** Key for hashing the version of the document, so that the version reveals nothing about the content. */
  key: string;
  /**
   * Applies new settings before they are stored. If it throws, the settings are refused and nothing has changed. If they cannot be stored,
   * it is called again with the previous ones.
   */
  apply(next: Settings): Promise<void>;
}

export function createLiveSettings({ file, env, initial, key, apply }: LiveSettingsOptions): LiveSettings {
  const changes = createBroadcast<Settings>();
  const mutex = createMutex();
  let current = initial;
  let onChange = async (_next: Settings): Promise<void> => undefined;

  const versionOf = (text: string) => createHmac('sha256', key).update('settings').update(text).digest('base64url');

  /** Read each time, so that manual edits of the file are neither hidden nor overwritten. */
  const read = () => readSettings(file).catch(asConflict);

  function document({ text, stored }: Pick<SettingsFile, 'text' | 'stored'>) {
    return { stored, current, version: versionOf(text), overridden: overriddenBy(env) };
  }

  async function put(next: Settings, text: string): Promise<void> {
    const former = current;
    await apply(next);
    try {
      await store(file, text);
    } catch (error) {
      await apply(former);
      throw error;
    }
    current = next;
    changes.publish(next);
    await onChange(next);
  }

  return {
    current: () => current,
    onChange(listener) {
      onChange = listener;
    },
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

/** Replaces the file, or what it links to. Throws a coded error for failures that the owner can solve. */
async function store(file: string, text: string): Promise<void> {
  try {
    await writeFileAtomically(await realpath(file).catch(() => file), text); // the first change creates it
  } catch (cause) {
    const reason = errorCode(cause) ?? 'unknown reason';
    if (reason === 'ENOSPC' || reason === 'EDQUOT')
      throw new GamekeeperError('insufficient_storage', 'The disk has no space left for settings.json.', { cause });
    throw new GamekeeperError('invalid_state', `settings.json cannot be written (${reason}). Nothing has changed.`, {
      resolution: 'Make the data directory and settings.json writable for the user that runs Gamekeeper.',
      cause,
    });
  }
}

/** Returns the file with the change. Throws SettingsError for a change that is not allowed. */
function merged(before: SettingsFile, change: Record<string, unknown>, env: NodeJS.ProcessEnv) {
  const missing = (place: string) =>
    new SettingsError(`${place}: enter the secret again. None is stored for this address`);
  const revealed = unmaskSecrets(settingsSchema, change, { stored: before.stored, missing });
  const document = mergePatch(before.document, revealed as Record<string, unknown>, before.stored);
  const stored = parseSettings(document);
  const next = withEnvironment(stored, env);
  checkSettings(next);
  return { stored, next, text: `${JSON.stringify(document, null, 2)}\n` };
}

/** Runs `work` and turns a SettingsError into `invalid_request`. */
function asRefusal<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const problems = error.message.replaceAll(/^ *- /gm, '').replaceAll('\n', '; ');
    throw new GamekeeperError('invalid_request', problems, {
      resolution: 'Correct the fields in the detail. Nothing has changed.',
      cause: error,
    });
  }
}

/** A file that was damaged by hand is not the caller's mistake. */
function asConflict(error: unknown): never {
  if (!(error instanceof SettingsError)) throw error;
  throw new GamekeeperError('invalid_state', error.message, {
    resolution: 'Correct settings.json by hand. Until then the settings in force stay.',
    cause: error,
  });
}
