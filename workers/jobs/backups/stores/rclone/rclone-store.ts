import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import type { RcloneStoreSettings } from '../../../../../shared/schema/backup-settings.ts';
import type { Store, StorePlace, TransferOptions } from '../store.ts';
import { full, refused, unavailable } from '../store-error.ts';
import { type Conversation, patiently } from '../transfer/conversation.ts';
import { type FarFiles, fileStore } from '../transfer/file-store.ts';
import { readLocal, sha256Of } from '../transfer/local-file.ts';
import type { LocalObject } from '../transfer/local-object.ts';
import { NOT_FOUND_CODES, type Rclone, RcloneFailure, rcloneProgram } from './rclone-program.ts';

/** The first that knows `lsjson --stat`. */
const OLDEST_VERSION = [1, 56] as const;
/** What rclone may know of an object there; the first that it does is compared with the local file's. */
const CHECKSUMS = ['sha256', 'sha1', 'md5', 'dropbox', 'quickxor', 'hidrive', 'mailru', 'whirlpool'] as const;

interface Listed {
  Size: number;
  Hashes?: Record<string, string>;
}

/**
 * Whatever the program rclone reaches: Google Drive, Dropbox, OneDrive and many more, set up with "rclone config". It begins interrupted
 * uploads anew.
 */
export function openRclone(settings: RcloneStoreSettings, place: StorePlace): Store {
  const { name, remote } = settings;
  const rclone = rcloneProgram(settings);
  const ending = new AbortController();
  const at = (key: string) => `${remote}${/[:/]$/.test(remote) ? '' : '/'}${key}`;
  const until = (signal: AbortSignal) => AbortSignal.any([signal, ending.signal]);
  const probe = once((signal: AbortSignal) => requireVersion(rclone, name, signal));
  const checksums = once((signal: AbortSignal) => checksumsOf(rclone, remote, signal));

  async function list(key: string, options: readonly string[], signal: AbortSignal): Promise<Listed | null> {
    await probe(until(signal));
    try {
      const output = await rclone.run(['lsjson', '--stat', ...options, at(key)], { signal: until(signal) });
      return JSON.parse(output) as Listed;
    } catch (error) {
      if (error instanceof RcloneFailure && NOT_FOUND_CODES.includes(error.exitCode ?? 0)) return null;
      throw error;
    }
  }

  async function checksum(kind: string, key: string, conversation: Conversation): Promise<string | undefined> {
    const found = await patiently(conversation, () => list(key, ['--hash', '--hash-type', kind], conversation.signal));
    return found?.Hashes?.[kind];
  }

  const files: FarFiles = {
    resumes: false,
    explain: (error) => explain(name, error),
    stat: async (key, signal) => (await list(key, [], signal))?.Size ?? null,
    async *read(key, start, signal) {
      const offset = start > 0 ? ['--offset', String(start)] : [];
      try {
        yield* rclone.stream(['cat', ...offset, at(key)], { signal: until(signal) });
      } catch (error) {
        // Here already, so that a copy that cannot be decrypted counts as damaged.
        throw error instanceof RcloneFailure ? explain(name, error) : error;
      }
    },
    sha256: (key, conversation) => checksum('sha256', key, conversation),
    async confirms({ file, sha256 }: LocalObject, key, conversation) {
      const kinds = await checksums(until(conversation.signal));
      const kind = CHECKSUMS.find((one) => kinds.includes(one));
      if (kind === undefined) return undefined;
      const far = await checksum(kind, key, conversation);
      if (!far) return undefined;
      return patiently(conversation, async () => {
        const output = await rclone.run(['hashsum', kind, file], { signal: until(conversation.signal) });
        return far === output.split(' ')[0] && (await sha256Of(readLocal(file, { start: 0 }))) === sha256;
      });
    },
    // Made with the first file in it.
    makeFolder: async () => undefined,
    async free(signal) {
      try {
        const { free } = JSON.parse(await rclone.run(['about', '--json', remote], { signal: until(signal) }));
        return typeof free === 'number' ? free : undefined;
      } catch {
        signal.throwIfAborted();
        return undefined; // Not every service says; an upload that does not fit fails by itself.
      }
    },
    async upload({ file, sizeBytes, key }, how, conversation) {
      const counting = counter(how, conversation);
      const limit = how.bytesPerSecond === undefined ? [] : ['--bwlimit', `${how.bytesPerSecond}B`];
      const shown = ['--stats', '200ms', '--stats-log-level', 'NOTICE'];
      await rclone.run(['copyto', '--ignore-times', ...limit, ...shown, file, at(key)], {
        signal: until(conversation.signal),
        onLog: (line) => counting((line.stats as { bytes?: number } | undefined)?.bytes ?? 0),
      });
      counting(sizeBytes);
    },
    move: async (from, to, signal) => void (await rclone.run(['moveto', at(from), at(to)], { signal: until(signal) })),
    async remove(key, signal) {
      if ((await list(key, [], signal)) !== null) await rclone.run(['deletefile', at(key)], { signal: until(signal) });
    },
    close: async () => ending.abort(unavailable(name, 'was closed.')),
  };
  return fileStore(name, files, place);
}

/** From totals to steps. */
function counter({ onProgress }: TransferOptions, { moved }: Conversation): (total: number) => void {
  let known = 0;
  return (total) => {
    if (total <= known) return;
    onProgress(total - known);
    known = total;
    moved();
  };
}

async function requireVersion(rclone: Rclone, store: string, signal: AbortSignal): Promise<void> {
  const output = await rclone.run(['version'], { signal });
  const [, major = 0, minor = 0] = /^rclone v(\d+)\.(\d+)/.exec(output)?.map(Number) ?? [];
  const [oldMajor, oldMinor] = OLDEST_VERSION;
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor)) return;
  throw refused(store, `needs rclone ${OLDEST_VERSION.join('.')} or newer, but the one here is ${major}.${minor}.`, {
    resolution: 'Install a newer one: https://rclone.org/install/.',
  });
}

async function checksumsOf(rclone: Rclone, remote: string, signal: AbortSignal): Promise<string[]> {
  const { Hashes } = JSON.parse(await rclone.run(['backend', 'features', remote], { signal })) as { Hashes?: string[] };
  return Hashes ?? [];
}

/** Remembers what was found out, but no failure. */
function once<T>(find: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let found: { is: T } | undefined;
  return async (signal) => {
    found ??= { is: await find(signal) };
    return found.is;
  };
}

/** What rclone prints may hold addresses and tokens, so only what it is about is passed on. */
function explain(store: string, cause: unknown): GamekeeperError {
  const said = cause instanceof RcloneFailure ? cause.message : '';
  if (/didn't find section in config file/.test(said))
    return refused(store, 'names a remote that rclone does not have.', {
      resolution: 'Set the remote up with "rclone config", or correct remote and config of the store.',
      cause,
    });
  if (/failed to authenticate decrypted block|not an encrypted file|corrupted on transfer/.test(said))
    return new GamekeeperError('backup_damaged', `The store "${store}" holds a copy that rclone cannot decrypt.`, {
      cause,
    });
  if (/token|oauth|unauthori[sz]ed|access denied|\b40[13]\b|password|permission denied/i.test(said))
    return refused(store, 'was refused by the service: its credentials, token or rights are not good (any more).', {
      resolution: 'Try "rclone lsd" with this remote, and "rclone config reconnect" where it needs a new token.',
      cause,
    });
  if (/no space left|quota|storage ?full|insufficient storage/i.test(said)) return full(store, 'is full.', cause);
  return unavailable(store, 'does not work: rclone could not do what was asked of it.', {
    resolution: 'Try "rclone lsd" with this remote; it says why.',
    cause,
  });
}
