import type { Readable } from 'node:stream';
import type { Server } from '@tus/server';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { mustBeNew } from '../../http/if-none-match.ts';
import type { FilesService } from '../../services/files.ts';

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

/**
 * Returns a server for the tus protocol 1.0 (tus.io). It keeps nothing itself: uploads are in the folders of the instances, so they survive
 * this process. Loaded with the first upload.
 */
export async function createTusServer(files: FilesService): Promise<Server> {
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

  return new Server({
    path: '/files/uploads',
    datastore: new InstanceUploads(),
    allowedOrigins: [],
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
    async onResponseError(_request, error) {
      if (!(error instanceof GamekeeperError)) return undefined;
      const body = `${error.message} ${error.resolution}\n`;
      return { status_code: error.status, body };
    },
  });
}

async function begin(files: FilesService, url: URL, headers: Headers): Promise<string> {
  const instanceId = ADDRESS.exec(url.pathname)?.[1] ?? '';
  const request = {
    instanceId,
    path: url.searchParams.get('path') ?? '',
    sizeBytes: Number(headers.get('upload-length')),
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
