import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import type { RcloneStoreSettings } from '../../../../../shared/schema/backup-settings.ts';
import type { Store, StorePlace, TransferOptions } from '../store.ts';
import { full, refused, unavailable } from '../store-error.ts';
import { createFileStore, type RemoteFiles } from '../transfer/file-store.ts';
import { readLocal, sha256Of } from '../transfer/local-file.ts';
import type { LocalObject } from '../transfer/local-object.ts';
import { type Operation, whileRemoteWorks } from '../transfer/operation.ts';
import { createRclone, NOT_FOUND_CODES, type Rclone, RcloneFailure } from './rclone-program.ts';

/** The first version with `lsjson --stat`. */
const OLDEST_VERSION = [1, 56] as const;
/** Checksums that rclone may have of a remote object, in order of preference. */
const CHECKSUMS = ['sha256', 'sha1', 'md5', 'dropbox', 'quickxor', 'hidrive', 'mailru', 'whirlpool'] as const;

interface Listed {
  Size: number;
  Hashes?: Record<string, string>;
}

/** Any remote of rclone: Google Drive, Dropbox, OneDrive and many more. Interrupted uploads start over. */
export function createRcloneStore(settings: RcloneStoreSettings, place: StorePlace): Store {
  const { name, remote } = settings;
  const rclone = createRclone(settings);
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

  async function checksum(kind: string, key: string, operation: Operation): Promise<string | undefined> {
    const found = await whileRemoteWorks(operation, () => list(key, ['--hash', '--hash-type', kind], operation.signal));
    return found?.Hashes?.[kind];
  }

  const files: RemoteFiles = {
    resumes: false,
    explain: (error) => explain(name, error),
    stat: async (key, signal) => (await list(key, [], signal))?.Size ?? null,
    async *read(key, { start, end }, signal) {
      const offset = start > 0 ? ['--offset', String(start)] : [];
      const count = end === undefined ? [] : ['--count', String(end - start)];
      try {
        yield* rclone.stream(['cat', ...offset, ...count, at(key)], { signal: until(signal) });
      } catch (error) {
        // Explained here, so that a copy that cannot be decrypted counts as damaged.
        throw error instanceof RcloneFailure ? explain(name, error) : error;
      }
    },
    sha256: (key, operation) => checksum('sha256', key, operation),
    async confirms({ file, sha256 }: LocalObject, key, operation) {
      const kinds = await checksums(until(operation.signal));
      const kind = CHECKSUMS.find((one) => kinds.includes(one));
      if (kind === undefined) return undefined;
      const far = await checksum(kind, key, operation);
      if (!far) return undefined;
      return whileRemoteWorks(operation, async () => {
        const output = await rclone.run(['hashsum', kind, file], { signal: until(operation.signal) });
        return far === output.split(' ')[0] && (await sha256Of(readLocal(file, { start: 0 }))) === sha256;
      });
    },
    // rclone creates the folder with the first file.
    makeFolder: async () => undefined,
    async free(signal) {
      try {
        const { free } = JSON.parse(await rclone.run(['about', '--json', remote], { signal: until(signal) }));
        return typeof free === 'number' ? free : undefined;
      } catch {
        signal.throwIfAborted();
        return undefined; // not every service reports it; an upload that does not fit fails
      }
    },
    async upload({ file, sizeBytes, key }, how, operation) {
      const counting = counter(how, operation);
      const limit = how.bytesPerSecond === undefined ? [] : ['--bwlimit', `${how.bytesPerSecond}B`];
      const shown = ['--stats', '200ms', '--stats-log-level', 'NOTICE'];
      await rclone.run(['copyto', '--ignore-times', ...limit, ...shown, file, at(key)], {
        signal: until(operation.signal),
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
  return createFileStore(name, files, place);
}

/** Turns totals into increments. */
function counter({ onProgress }: TransferOptions, { moved }: Operation): (total: number) => void {
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

function once<T>(find: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let found: { is: T } | undefined;
  return async (signal) => {
    found ??= { is: await find(signal) };
    return found.is;
  };
}

/** rclone's output may contain addresses and tokens, so users only see what kind of error it is. */
function explain(store: string, cause: unknown): GamekeeperError {
  const said = cause instanceof RcloneFailure ? cause.message : '';
  if (/didn't find section in config file/.test(said))
    return refused(store, 'names a remote that rclone does not know.', {
      resolution: 'Set the remote up with "rclone config", or correct remote and config of the store.',
      cause,
    });
  if (/failed to authenticate decrypted block|not an encrypted file|corrupted on transfer/.test(said))
    return new GamekeeperError('backup_damaged', `The store "${store}" holds a copy that rclone cannot decrypt.`, {
      cause,
    });
  if (/token|oauth|unauthori[sz]ed|access denied|\b40[13]\b|password|permission denied/i.test(said))
    return refused(store, 'was rejected by the service: check its credentials, token and permissions.', {
      resolution: 'Try "rclone lsd" with this remote, and "rclone config reconnect" if it needs a new token.',
      cause,
    });
  if (/no space left|quota|storage ?full|insufficient storage/i.test(said)) return full(store, 'is full.', cause);
  return unavailable(store, 'failed: rclone returned an error.', {
    resolution: 'Try "rclone lsd" with this remote; it says why.',
    cause,
  });
}
