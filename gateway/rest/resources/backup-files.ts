import { Readable } from 'node:stream';
import * as z from 'zod';
import { actionResponse } from '../../../shared/schema/answers.ts';
import { backupPath, fileDifferences, restoreFiles } from '../../../shared/schema/backup-files.ts';
import { fileList, MOST_FILE_ENTRIES } from '../../../shared/schema/files.ts';
import { job } from '../../../shared/schema/job.ts';
import { clientSignal } from '../../http/client-signal.ts';
import { needsFiles } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { keyOf, ofBackup, queryInteger } from '../parameters.ts';
import { ACCEPTED, answerOf, PREFER } from '../respond-async.ts';

const MOST_SKIPPED = 999_999_999;

const listQuery = z.object({
  path: backupPath
    .default('')
    .describe("Folder in the backup, relative to the server's folder; without it, that folder itself"),
  cursor: queryInteger(0, MOST_SKIPPED)
    .default(0)
    .meta({ description: '`next` of the previous page', examples: [1_000] }),
  limit: queryInteger(1, MOST_FILE_ENTRIES).default(MOST_FILE_ENTRIES),
});
const contentQuery = z.object({ path: backupPath.default('').meta({ examples: ['server.properties'] }) });

const compareQuery = listQuery.extend({
  path: backupPath.default('').describe("File or folder; without it, the server's whole folder"),
  cursor: z
    .string()
    .regex(/^[\w-]{1,16384}$/, 'must be `next` of the previous page')
    .optional()
    .meta({ description: '`next` of the previous page', examples: ['cGx1Z2lucw'] }),
});

const BINARY = 'application/octet-stream';
const RESTORED = { success: true, message: '"plugins" of "Demo" came back from 20261120T081500Z-4f9c2a.' };

const tag = 'Backups';
/** As for the archive, which holds the same secrets. */
const access = needsFiles('write');
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
  compareRoute(app, services);
  restoreRoute(app, services);
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

function compareRoute(app: Api, { backupFiles }: Services): void {
  app.get(
    '/instances/:id/backups/:backupId/files/compare',
    {
      schema: { params: ofBackup, querystring: compareQuery, response: { 200: fileDifferences } },
      config: {
        operation: {
          id: 'compareBackupFiles',
          work: 'backupFiles',
          summary: "Compare a file or folder of a backup with today's",
          description:
            'By kind, size and CRC-32, in the order of the paths. A folder that only one side has stands for all that is in it. One answer reads 256 MB at most; `next` continues.',
          tag,
          access,
          errors: [...errors, 'invalid_state'],
          answers: { 200: { description: 'What differs.' } },
        },
      },
    },
    (request, reply) => {
      const { path, cursor: after, limit } = request.query;
      return backupFiles.compare({ ...keyOf(request.params), path, after, limit }, clientSignal(reply));
    },
  );
}

function restoreRoute(app: Api, { backupFiles }: Services): void {
  const { prefix } = app;
  app.post(
    '/instances/:id/backups/:backupId/files/restore',
    {
      schema: { params: ofBackup, body: restoreFiles, response: { 200: actionResponse, 202: job } },
      config: {
        operation: {
          id: 'restoreBackupFiles',
          work: 'restore',
          summary: 'Restore single files and folders of a stopped instance',
          description:
            'Each replaces what is there today; everything else stays. Like a whole restore, it backs up the present content first, and a failure leaves the folder as it was.',
          tag,
          access,
          errors: [...errors, 'invalid_state', 'backup_in_progress', 'already_in_progress', 'insufficient_storage'],
          requestHeaders: PREFER,
          answers: { 200: { description: 'Restored.', example: RESTORED }, 202: ACCEPTED },
        },
      },
    },
    async (request, reply) => {
      const order = { ...keyOf(request.params), paths: request.body.paths };
      const accepted = await backupFiles.restore(order, clientSignal(reply));
      return answerOf(accepted, { request, reply, prefix });
    },
  );
}

/** The name of a file for RFC 8187: percent-encoded UTF-8, so that nothing in it can end the header or hide an ending. */
function encoded(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toWellFormed();
  return encodeURIComponent(name).replaceAll(/['()*!]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
