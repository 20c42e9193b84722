import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { mustBeNew } from '../../http/if-none-match.ts';
import { uploadedBody } from '../../http/uploaded-body.ts';
import type { FilesService, UploadKey, UploadOwner } from '../../services/files.ts';
import { UploadLocks } from './upload-locks.ts';

/** After this, what is unfinished is removed (workers/files/uploads/uploads.ts). */
const EXPIRES_MS = 24 * 60 * 60 * 1_000;

/** What a request is about, by its route, which has checked the caller's rights. */
export interface UploadTarget {
  owner: UploadOwner;
  /** For a new upload: its path in the server's folder, or the name of the archive. */
  path: string;
  /** Absent for a new upload. */
  uploadId: string | undefined;
}

/** Answers a request of the protocol. Throws for every refusal. */
export type TusServer = (request: FastifyRequest, reply: FastifyReply, target: UploadTarget) => Promise<Response>;

/**
 * Returns a server for the tus protocol 1.0 (tus.io). It keeps nothing itself: the files process does, so uploads survive this
 * process. The package is loaded with the first upload.
 */
export async function createTusServer(files: FilesService): Promise<TusServer> {
  const { DataStore, Server, Upload } = await import('@tus/server');

  class StoredUploads extends DataStore {
    override extensions = ['creation', 'creation-with-upload', 'termination', 'expiration'];

    override async getUpload(id: string): Promise<InstanceType<typeof Upload>> {
      const { sizeBytes, offset, usedAt } = await files.upload(toKey(id));
      // The package counts the expiry from this date.
      return new Upload({ id, size: sizeBytes, offset, creation_date: usedAt });
    }

    override async write(stream: Readable, id: string, offset: number): Promise<number> {
      return files.append({ ...toKey(id), offset }, stream);
    }

    override async remove(id: string): Promise<void> {
      await files.removeUpload(toKey(id));
    }

    override getExpiration(): number {
      return EXPIRES_MS;
    }
  }

  const targets = new WeakMap<Request, UploadTarget>();
  const refusals = new WeakMap<Request, GamekeeperError>();
  const server = new Server({
    path: '/files/uploads',
    datastore: new StoredUploads(),
    allowedOrigins: [],
    locker: new UploadLocks(),
    // Before `create`, because here the request is known.
    namingFunction: (request) => begin(files, targets.get(request)!, request.headers),
    getFileIdFromRequest(request) {
      const { owner, uploadId } = targets.get(request)!;
      return uploadId === undefined ? undefined : fromKey({ ...owner, uploadId });
    },
    generateUrl: ({ url }, { id }) => {
      const { pathname } = new URL(url);
      return `${pathname}/${toKey(id).uploadId}`;
    },
    async onResponseError(request, error) {
      if (error instanceof GamekeeperError) refusals.set(request, error);
      return undefined;
    },
  });
  return async (request, reply, target) => {
    const asked = toWebRequest(request, reply);
    targets.set(asked, target);
    const response = await server.handleWeb(asked);
    if (response.ok) return response;
    throw refusals.get(asked) ?? refusalOf(response.status, (await response.text()).trim());
  };
}

function toWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const { body } = uploadedBody(request, reply);
  const { method, headers } = request;
  const init: RequestInit = { method, headers: headers as Record<string, string> };
  if (method === 'PATCH' || method === 'POST') Object.assign(init, { body: Readable.toWeb(body), duplex: 'half' });
  return new Request(new URL(request.url, 'http://localhost'), init);
}

/** The package's own refusals, with the status that clients of the protocol expect. */
function refusalOf(status: number, text: string): GamekeeperError {
  const code = CODES[status];
  if (code === undefined)
    return new GamekeeperError('internal_error', 'The upload failed.', { cause: new Error(text) });
  return new GamekeeperError(code, `${text}.`);
}

const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  403: 'unsupported_media_type',
  404: 'file_not_found',
  409: 'already_in_progress',
  410: 'file_not_found',
  412: 'precondition_failed',
  413: 'body_too_large',
  423: 'already_in_progress',
};

async function begin(files: FilesService, { owner, path }: UploadTarget, headers: Headers): Promise<string> {
  const sizeBytes = Number(headers.get('upload-length'));
  if (!Number.isSafeInteger(sizeBytes))
    throw new GamekeeperError('body_too_large', 'No disk has space for an upload of this length.');
  const conditions = {
    ifMatch: headers.get('if-match') ?? undefined,
    isNew: mustBeNew(headers.get('if-none-match') ?? undefined),
  };
  const { uploadId } = await files.createUpload({ ...owner, path, sizeBytes }, conditions);
  return fromKey({ ...owner, uploadId });
}

/** @tus/server wants one id for owner and upload. */
function fromKey(key: UploadKey): string {
  return JSON.stringify(key);
}

function toKey(id: string): UploadKey {
  return JSON.parse(id) as UploadKey;
}
