import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Backup } from '../../../shared/schema/backup.ts';
import { chosenPart } from '../../http/byte-range.ts';
import { needsFiles } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { keyOf, ofBackup } from '../parameters.ts';

/** Large reads, since an archive has gigabytes and each read costs a turn of the event loop. */
const READ_BYTES = 1024 * 1024;
const ZIP = 'application/zip';

/** Downloads an archive, with ranges (RFC 9110, section 14) and a digest (RFC 9530). */
export function archiveRoute(app: Api, { backups }: Services): void {
  app.route({
    method: 'GET',
    url: '/instances/:id/backups/:backupId/archive',
    schema: { params: ofBackup },
    config: {
      operation: {
        id: 'downloadBackup',
        work: 'download',
        summary: 'Download a backup as a ZIP',
        description:
          "The archive contains the secrets of the server, so the right to write its files is needed, as for a folder's download.",
        tag: 'Backups',
        access: needsFiles('write'),
        errors: [
          'instance_not_found',
          'backup_not_found',
          'range_not_satisfiable',
          'backup_damaged',
          'worker_unavailable',
        ],
        requestHeaders: {
          Range: { description: 'A single range of bytes', example: 'bytes=0-1023' },
          'If-Range': {
            description: 'ETag of the archive that the range is for. If it has changed, the whole archive is sent',
            example: '"a591a6d4"',
          },
        },
        answers: {
          200: {
            description: 'The whole archive.',
            contentType: ZIP,
            headers: { 'Repr-Digest': 'SHA-256 of the archive', ETag: 'Version of the archive' },
          },
          206: {
            description: 'The requested range.',
            contentType: ZIP,
            headers: { 'Content-Range': 'The range that is sent' },
          },
        },
      },
    },
    async handler(request, reply) {
      const { backup, path } = await backups.archive(keyOf(request.params));
      const file = await openArchive(path, backup);
      try {
        const { size } = await file.stat();
        if (size !== backup.sizeBytes)
          throw new GamekeeperError('backup_damaged', 'The archive is damaged: its size has changed.');
        const part = chosenPart(request, reply, { size, etag: `"${backup.sha256}"` });
        reply
          .header('content-type', ZIP)
          .header('content-length', part.end - part.start + 1)
          .header('content-disposition', `attachment; filename="${backup.instanceId}-${backup.backupId}.zip"`)
          .header('repr-digest', `sha-256=:${Buffer.from(backup.sha256, 'hex').toString('base64')}:`);
        if (request.method !== 'HEAD')
          return reply.send(file.createReadStream({ ...part, highWaterMark: READ_BYTES, autoClose: true }));
      } catch (error) {
        await file.close();
        throw error;
      }
      await file.close();
      // An empty stream: for a stream Fastify keeps the Content-Length that was set.
      return reply.send(Readable.from([]));
    },
  });
}

async function openArchive(path: string, { backupId, instanceId, replicas }: Backup): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (cause) {
    const stores = replicas.filter(({ state }) => state === 'replicated').map(({ store }) => store);
    throw new GamekeeperError(
      'backup_not_found',
      `The archive of backup "${backupId}" of "${instanceId}" is no longer on this machine.`,
      {
        ...(stores.length > 0 && {
          resolution: `There is a copy in ${stores.join(', ')}. A restore or a drill (POST .../drill) downloads it.`,
        }),
        cause,
      },
    );
  }
}
