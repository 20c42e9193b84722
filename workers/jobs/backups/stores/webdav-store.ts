import { Readable } from 'node:stream';
import type { RequestOptionsCustom, Response, WebDAVClient } from 'webdav';
import type { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { WebdavStoreSettings } from '../../../../shared/schema/backup-settings.ts';
import { lastOf } from './byte-range.ts';
import { agentsOfOrigin } from './one-origin.ts';
import type { Store, StorePlace } from './store.ts';
import { connectionTrouble, full, refused, unavailable } from './store-error.ts';
import { createFileStore, type RemoteFiles } from './transfer/file-store.ts';
import { readLocal } from './transfer/local-file.ts';
import { paced } from './transfer/pace.ts';

type Request = Omit<RequestOptionsCustom, 'data'> & { data?: Readable };

/**
 * A folder on a WebDAV server (RFC 4918), such as Nextcloud or a NAS. The protocol cannot append to files, so uploads start over. Some
 * servers only return checksums that a client once claimed, so uploads are read back.
 */
export async function createWebdavStore(settings: WebdavStoreSettings, place: StorePlace): Promise<Store> {
  const { name, url, username, password } = settings;
  const { AuthType, createClient, parseStat, parseXML } = await import('webdav');
  const client = createClient(url, {
    // Basic, or Digest if the server asks for it.
    authType: username === undefined ? AuthType.None : AuthType.Auto,
    ...(username !== undefined && { username, password: password ?? '' }),
    // Compressed responses have no ranges.
    headers: { 'Accept-Encoding': 'identity' },
    ...agentsOfOrigin(name, url),
  });

  /** Throws for error statuses that the library lets pass, such as a refused Digest. */
  async function request(path: string, options: Request): Promise<Response> {
    const response = await client.customRequest(`/${path}`, options as RequestOptionsCustom);
    if (response.status >= 400) throw Object.assign(new Error(response.statusText), { status: response.status });
    return response;
  }

  async function sizeOf(path: string, signal: AbortSignal): Promise<number | null> {
    try {
      const response = await request(path, { method: 'PROPFIND', signal, headers: { Depth: '0' } });
      return parseStat(await parseXML(await response.text()), path).size;
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  }

  const files: RemoteFiles = {
    resumes: false,
    explain: (error) => explain(name, error),
    stat: sizeOf,
    async *read(key, { start, end }, signal) {
      const response = await request(key, {
        method: 'GET',
        signal,
        headers: { Range: `bytes=${start}-${lastOf(end)}` },
      });
      // A server without ranges sends everything.
      let superfluous = response.status === 206 ? 0 : start;
      for await (const chunk of bodyOf(response)) {
        const wanted = chunk.subarray(superfluous);
        superfluous -= chunk.length - wanted.length;
        if (wanted.length > 0) yield wanted;
      }
    },
    async makeFolder(key, signal) {
      const folders = key.split('/').slice(0, -1);
      for (let depth = 0; depth <= folders.length; depth++) {
        const folder = folders.slice(0, depth).join('/');
        if ((await sizeOf(folder, signal)) === null) await request(`${folder}/`, { method: 'MKCOL', signal });
      }
    },
    free: (signal) => freeBytes(client, signal),
    async upload({ file, sizeBytes, key }, how, operation) {
      const data = Readable.from(paced(readLocal(file, { start: 0 }), how, operation), { objectMode: false });
      const headers = { 'Content-Length': String(sizeBytes), 'Content-Type': 'application/octet-stream' };
      try {
        await request(key, { method: 'PUT', signal: operation.signal, headers, data });
      } finally {
        data.destroy();
      }
    },
    async move(from, to, signal) {
      const headers = { Destination: `${url.replace(/\/+$/, '')}/${to}`, Overwrite: 'T' };
      await request(from, { method: 'MOVE', signal, headers });
    },
    async remove(key, signal) {
      try {
        await request(key, { method: 'DELETE', signal });
      } catch (error) {
        if (statusOf(error) !== 404) throw error;
      }
    },
    close: async () => undefined,
  };
  return createFileStore(name, files, place);
}

async function freeBytes(client: WebDAVClient, signal: AbortSignal): Promise<number | undefined> {
  try {
    const quota = await client.getQuota({ signal });
    const available = quota === null || 'data' in quota ? undefined : quota.available;
    return typeof available === 'number' && available >= 0 ? available : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined; // not every server has quotas; an upload that does not fit is refused
  }
}

/** The library's types, which also cover browsers, lack the body. */
function bodyOf(response: Response): AsyncIterable<Buffer> {
  return (response as Response & { body: Readable | null }).body ?? Readable.from([]);
}

function statusOf(error: unknown): number | undefined {
  const { status } = error as { status?: unknown };
  return typeof status === 'number' ? status : undefined;
}

function explain(name: string, cause: unknown): GamekeeperError {
  const status = statusOf(cause);
  if (status === undefined) {
    if (cause instanceof Error && /multistatus/.test(cause.message))
      return refused(name, 'responds, but not like WebDAV: check its url.', { cause });
    return unavailable(name, connectionTrouble(cause) ?? 'closed the connection.', { cause });
  }
  if (status === 401) return refused(name, 'did not accept the user name and password.', { cause });
  if (status === 403) return refused(name, 'does not allow this user to do that (status 403).', { cause });
  if (status === 507) return full(name, 'is full.', cause);
  if (status === 413) return refused(name, 'does not accept files of this size (status 413).', { cause });
  if ([404, 405, 409, 501].includes(status))
    return refused(name, `has no WebDAV folder at this url (status ${status}).`, { cause });
  return unavailable(name, `returned status ${status}.`, { cause });
}
