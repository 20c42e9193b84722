import { Readable } from 'node:stream';
import * as z from 'zod';
import { fileList, MOST_FILE_ENTRIES } from '../../../shared/schema/files.ts';
import { clientSignal } from '../../http/client-signal.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { keyOf, ofBackup, queryInteger } from '../parameters.ts';

const MOST_PATH_LENGTH = 8_192;
const MOST_SKIPPED = 999_999_999;

const path = z
  .string()
  .max(MOST_PATH_LENGTH, 'is too long')
  .describe("Path in the backup, relative to the server's folder, with `/`");
const listQuery = z.object({
  path: path
    .default('')
    .describe("Folder in the backup, relative to the server's folder; without it, that folder itself"),
  cursor: queryInteger(0, MOST_SKIPPED)
    .default(0)
    .meta({ description: '`next` of the previous page', examples: [1_000] }),
  limit: queryInteger(1, MOST_FILE_ENTRIES).default(MOST_FILE_ENTRIES),
});
const contentQuery = z.object({ path: path.default('').meta({ examples: ['server.properties'] }) });

const BINARY = 'application/octet-stream';
const tag = 'Backups';
/** As for the archive, which holds the same secrets. */
const access = needs('servers:write', 'admin');
const errors = [
  'instance_not_found',
  'backup_not_found',
  'file_not_found',
  'invalid_path',
  'backup_damaged',
  'decryption_failed',
  'store_refused',
  'store_unavailable',
  'worker_unavailable',
] as const;

/** The files in a backup, read from the archive or a copy of it, without a restore. */
export function backupFileRoutes(app: Api, services: Services): void {
  listRoute(app, services);
  contentRoute(app, services);
}

function listRoute(app: Api, { backupFiles }: Services): void {
  app.get(
    '/instances/:id/backups/:backupId/files',
    {
      schema: { params: ofBackup, querystring: listQuery, response: { 200: fileList } },
      config: {
        operation: {
          id: 'listBackupFiles',
          work: 'backupFiles',
          summary: 'List a folder in a backup',
          description:
            'Folders come first, then everything is sorted by name. If the archive is not on this machine, only its directory is fetched from a store.',
          tag,
          access,
          errors,
          answers: { 200: { description: 'One page of the folder.' } },
        },
      },
    },
    (request, reply) => {
      const { path, cursor: skip, limit } = request.query;
      return backupFiles.list({ ...keyOf(request.params), path, skip, limit }, clientSignal(reply));
    },
  );
}

function contentRoute(app: Api, { backupFiles }: Services): void {
  app.get(
    '/instances/:id/backups/:backupId/files/content',
    {
      schema: { params: ofBackup, querystring: contentQuery },
      config: {
        operation: {
          id: 'readBackupFile',
          work: 'backupFile',
          summary: 'Download one file of a backup',
          description:
            'The last bytes are only sent once the checksum of the file is right: a complete response is the complete file. A download slower than 64 KiB/s ends with an error.',
          tag,
          access,
          errors,
          answers: {
            200: {
              description: 'The bytes of the file.',
              contentType: BINARY,
              example: 'motd=A Minecraft Server\n',
              headers: { 'Last-Modified': 'Time of the file in the backup' },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const at = { ...keyOf(request.params), path: request.query.path };
      const { sizeBytes, modifiedAt } = await backupFiles.look(at, clientSignal(reply));
      const content = request.method === 'HEAD' ? Readable.from([]) : await backupFiles.open(at);
      return reply
        .type(BINARY)
        .header('content-length', sizeBytes)
        .header('last-modified', new Date(modifiedAt).toUTCString())
        .header('content-disposition', `attachment; filename*=UTF-8''${encoded(at.path)}`)
        .send(content);
    },
  );
}

/** The name of a file for RFC 8187: percent-encoded UTF-8, so that nothing in it can end the header or hide an ending. */
function encoded(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toWellFormed();
  return encodeURIComponent(name).replaceAll(/['()*!]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
