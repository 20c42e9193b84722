import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { mustBeNew } from '../../http/if-none-match.ts';
import { uploadedBody } from '../../http/uploaded-body.ts';
import type { FilesService } from '../../services/files.ts';
import { UploadLocks } from './upload-locks.ts';

const UPLOAD_ID = /^[0-9a-f]{32}$/;
/** After this, what is unfinished is removed (workers/files/uploads/uploads.ts). */
const EXPIRES_MS = 24 * 60 * 60 * 1_000;
/** `/instances/{id}/files/uploads/{uploadId}`, below any prefix. */
const ADDRESS = /\/instances\/([^/?]+)\/files\/uploads(?:\/([^/?]+))?(?:\?|$)/;

/** The uploads of all instances, as @tus/server wants them: one id for instance and upload. */
interface UploadKey {
  instanceId: string;
  uploadId: string;
}

/** Answers a request of the protocol. Throws for every refusal. */
export type TusServer = (request: FastifyRequest, reply: FastifyReply) => Promise<Response>;

/**
 * Returns a server for the tus protocol 1.0 (tus.io). It keeps nothing itself: uploads are in the folders of the instances, so they survive
 * this process. The package is loaded with the first upload.
 */
export async function createTusServer(files: FilesService): Promise<TusServer> {
  const { DataStore, Server, Upload } = await import('@tus/server');

  class InstanceUploads extends DataStore {
    override extensions = ['creation', 'creation-with-upload', 'termination', 'expiration'];

    override async getUpload(id: string): Promise<InstanceType<typeof Upload>> {
      const { instanceId, uploadId } = toKey(id);
      const { sizeBytes, offset, createdAt } = await files.upload(instanceId, uploadId);
      return new Upload({ id, size: sizeBytes, offset, creation_date: createdAt });
    }

    override async write(stream: Readable, id: string, offset: number): Promise<number> {
      return files.append({ ...toKey(id), offset }, stream);
    }

    override async remove(id: string): Promise<void> {
      const { instanceId, uploadId } = toKey(id);
      await files.removeUpload(instanceId, uploadId);
    }

    override getExpiration(): number {
      return EXPIRES_MS;
    }
  }

  const refusals = new WeakMap<Request, GamekeeperError>();
  const server = new Server({
    path: '/files/uploads',
    datastore: new InstanceUploads(),
    allowedOrigins: [],
    locker: new UploadLocks(),
    // Before `create`, because here the request is known.
    namingFunction: ({ url, headers }) => begin(files, new URL(url), headers),
    getFileIdFromRequest: ({ url }) => {
      const [, instanceId, uploadId] = ADDRESS.exec(url) ?? [];
      return instanceId !== undefined && uploadId !== undefined ? fromKey({ instanceId, uploadId }) : undefined;
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
  return async (request, reply) => {
    const asked = toWebRequest(request, reply);
    requireSamePlace(request, asked);
    const response = await server.handleWeb(asked);
    if (response.ok) return response;
    throw refusals.get(asked) ?? refusalOf(response.status, (await response.text()).trim());
  };
}

/** The rights were checked for the instance in the route. A URL that reads differently here is no honest one. */
function requireSamePlace({ params }: FastifyRequest, { url }: Request): void {
  const { id, uploadId } = params as { id: string; uploadId?: string };
  const found = ADDRESS.exec(new URL(url).pathname);
  if (found?.[1] !== id || found[2] !== uploadId)
    throw new GamekeeperError('file_not_found', 'There is no such upload.');
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

async function begin(files: FilesService, url: URL, headers: Headers): Promise<string> {
  const instanceId = ADDRESS.exec(url.pathname)?.[1] ?? '';
  const sizeBytes = Number(headers.get('upload-length'));
  if (!Number.isSafeInteger(sizeBytes))
    throw new GamekeeperError('body_too_large', 'No disk has space for an upload of this length.');
  const request = {
    instanceId,
    path: url.searchParams.get('path') ?? '',
    sizeBytes,
  };
  const conditions = {
    ifMatch: headers.get('if-match') ?? undefined,
    isNew: mustBeNew(headers.get('if-none-match') ?? undefined),
  };
  const { uploadId } = await files.createUpload(request, conditions);
  return fromKey({ instanceId, uploadId });
}

function fromKey({ instanceId, uploadId }: UploadKey): string {
  return `${instanceId}:${uploadId}`;
}

function toKey(id: string): UploadKey {
  const [instanceId = '', uploadId = ''] = id.split(':');
  if (!UPLOAD_ID.test(uploadId)) throw new GamekeeperError('file_not_found', 'There is no such upload.');
  return { instanceId, uploadId };
}
