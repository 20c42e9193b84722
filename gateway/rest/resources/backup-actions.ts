import { actionResponse, backupResponse } from '../../../shared/schema/answers.ts';
import { backupRequest, drillResult, restoreRequest, verifyResponse } from '../../../shared/schema/backup.ts';
import { job } from '../../../shared/schema/job.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { keyOf, ofBackup, ofInstance } from '../parameters.ts';
import { ACCEPTED, answerOf, PREFER } from '../respond-async.ts';

const RESTORED = { success: true, message: '"Demo" was restored from 20261120T081500Z-4f9c2a.' };

const tag = 'Backups';
const access = needs('backups:create');

/** Long work on backups. Each answers when it is done, or with its job. */
export function backupActionRoutes(app: Api, services: Services): void {
  createRoute(app, services);
  restoreRoute(app, services);
  checkRoutes(app, services);
}

function createRoute(app: Api, { backups }: Services): void {
  const { prefix } = app;
  app.post(
    '/instances/:id/backup',
    {
      schema: { params: ofInstance, body: backupRequest.prefault({}), response: { 200: backupResponse, 202: job } },
      config: {
        operation: {
          id: 'createBackup',
          work: 'backup',
          summary: 'Create a backup: a ZIP with its SHA-256',
          description: 'Answers when the archive is on disk. A running server does not write to its world meanwhile.',
          tag,
          access,
          errors: [
            'instance_not_found',
            'invalid_state',
            'backup_in_progress',
            'already_in_progress',
            'rcon_unavailable',
            'insufficient_storage',
            'worker_unavailable',
          ],
          requestHeaders: PREFER,
          answers: { 200: { description: 'The archive is complete.' }, 202: ACCEPTED },
        },
      },
    },
    async (request, reply) => {
      const { cloudReplicate } = request.body;
      const accepted = await backups.create(request.params.id, { cloudReplicate });
      return answerOf(accepted, { request, reply, prefix });
    },
  );
}

function restoreRoute(app: Api, { backups }: Services): void {
  const { prefix } = app;
  app.post(
    '/instances/:id/backups/:backupId/restore',
    {
      schema: {
        params: ofBackup,
        body: restoreRequest.prefault({}),
        response: { 200: actionResponse, 202: job },
      },
      config: {
        operation: {
          id: 'restoreBackup',
          work: 'restore',
          summary: 'Restore a stopped instance from a backup',
          description:
            'With `restart`, a running server is stopped for it and started again, also if the restore fails.',
          tag,
          access,
          errors: [
            'instance_not_found',
            'backup_not_found',
            'invalid_state',
            'backup_in_progress',
            'already_in_progress',
            'backup_damaged',
            'insufficient_storage',
            'worker_unavailable',
          ],
          requestHeaders: PREFER,
          answers: { 200: { description: 'Restored.', example: RESTORED }, 202: ACCEPTED },
        },
      },
    },
    async (request, reply) =>
      answerOf(await backups.restore(keyOf(request.params), request.body, request.identity!), {
        request,
        reply,
        prefix,
      }),
  );
}

function checkRoutes(app: Api, { backups }: Services): void {
  const { prefix } = app;
  app.post(
    '/instances/:id/backups/:backupId/verify',
    {
      schema: { params: ofBackup, response: { 200: verifyResponse, 202: job } },
      config: {
        operation: {
          id: 'verifyBackup',
          work: 'verify',
          summary: 'Verify the hash, checksums and structure of a backup',
          tag,
          access,
          errors: [
            'instance_not_found',
            'backup_not_found',
            'already_in_progress',
            'backup_damaged',
            'worker_unavailable',
          ],
          requestHeaders: PREFER,
          answers: { 200: { description: 'The result.' }, 202: ACCEPTED },
        },
      },
    },
    async (request, reply) => answerOf(await backups.verify(keyOf(request.params)), { request, reply, prefix }),
  );

  app.post(
    '/instances/:id/backups/:backupId/drill',
    {
      schema: { params: ofBackup, response: { 200: drillResult, 202: job } },
      config: {
        operation: {
          id: 'drillBackup',
          work: 'drill',
          summary: 'Test a restore in a scratch folder',
          description:
            'Unpacks the backup, reads every file back, and removes everything again. The server may be running.',
          tag,
          access,
          errors: [
            'instance_not_found',
            'backup_not_found',
            'invalid_state',
            'backup_damaged',
            'insufficient_storage',
            'worker_unavailable',
          ],
          requestHeaders: PREFER,
          answers: { 200: { description: 'The backup can be restored.' }, 202: ACCEPTED },
        },
      },
    },
    async (request, reply) => answerOf(await backups.drill(keyOf(request.params)), { request, reply, prefix }),
  );
}
