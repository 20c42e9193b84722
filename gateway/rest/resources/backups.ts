import * as z from 'zod';
import { backup, backupsQuery } from '../../../shared/schema/backup.ts';
import { backupRetention } from '../../../shared/schema/backup-settings.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { keyOf, ofBackup, ofInstance } from '../parameters.ts';

const pinRequest = z.strictObject({ pinned: z.boolean() }).meta({ id: 'PinBackup' });

const tag = 'Backups';
const access = needs('backups:create');

export function backupRoutes(app: Api, services: Services): void {
  readRoutes(app, services);
  changeRoutes(app, services);
}

function readRoutes(app: Api, { backups }: Services): void {
  app.get(
    '/instances/:id/backups',
    {
      schema: { params: ofInstance, querystring: backupsQuery, response: { 200: z.array(backup) } },
      config: {
        operation: {
          id: 'listBackups',
          work: 'backupList',
          summary: 'List the backups of an instance, newest first',
          tag,
          access,
          errors: ['instance_not_found', 'worker_unavailable'],
          answers: {
            200: {
              description: 'The backups.',
              headers: { Link: 'Address of the next page, with `rel="next"`, if there are older backups' },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { limit } = request.query;
      const { backups: page, next } = await backups.list(request.params.id, request.query);
      if (next !== undefined) reply.header('link', `<?limit=${limit}&before=${next}>; rel="next"`);
      return page;
    },
  );

  app.get(
    '/instances/:id/backups/retention',
    {
      schema: { params: ofInstance, response: { 200: backupRetention } },
      config: {
        operation: {
          id: 'getBackupRetention',
          summary: 'Get the retention rules',
          description:
            'These are `backups.retention` of the settings, which only administrators can read. A backup that no rule keeps is deleted after the next backup, or within a day.',
          tag,
          access,
          errors: ['instance_not_found'],
        },
      },
    },
    (request) => backups.retention(request.params.id),
  );

  app.get(
    '/instances/:id/backups/:backupId',
    {
      schema: { params: ofBackup, response: { 200: backup } },
      config: {
        operation: {
          id: 'getBackup',
          summary: 'Get a backup',
          tag,
          access,
          errors: ['instance_not_found', 'backup_not_found', 'worker_unavailable'],
        },
      },
    },
    (request) => backups.get(keyOf(request.params)),
  );
}

function changeRoutes(app: Api, { backups }: Services): void {
  app.patch(
    '/instances/:id/backups/:backupId',
    {
      schema: { params: ofBackup, body: pinRequest, response: { 200: backup } },
      config: {
        operation: {
          id: 'pinBackup',
          work: 'backupChange',
          summary: 'Pin a backup, so that retention keeps it, or unpin it',
          tag,
          access,
          errors: ['instance_not_found', 'backup_not_found', 'worker_unavailable'],
        },
      },
    },
    (request) => backups.setPinned(keyOf(request.params), request.body.pinned),
  );

  app.delete(
    '/instances/:id/backups/:backupId',
    {
      schema: { params: ofBackup },
      config: {
        operation: {
          id: 'deleteBackup',
          work: 'backupChange',
          summary: 'Delete a backup',
          tag,
          access,
          errors: [
            'instance_not_found',
            'backup_not_found',
            'invalid_state',
            'already_in_progress',
            'worker_unavailable',
          ],
          answers: { 204: { description: 'Deleted.' } },
        },
      },
    },
    async (request, reply) => {
      await backups.remove(keyOf(request.params));
      return reply.code(204).send();
    },
  );

  app.post(
    '/instances/:id/backups/:backupId/replicate',
    {
      schema: { params: ofBackup, response: { 200: backup } },
      config: {
        operation: {
          id: 'replicateBackup',
          work: 'replicate',
          summary: 'Copy a backup to every store that lacks it',
          description:
            'Also retries failed copies at once. Answers when the copies are queued; they are jobs, and the backup shows the state of each.',
          tag,
          access,
          errors: ['instance_not_found', 'backup_not_found', 'invalid_state', 'worker_unavailable'],
        },
      },
    },
    (request) => backups.replicate(keyOf(request.params)),
  );
}
