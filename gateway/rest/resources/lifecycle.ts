import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { actionResponse } from '../../../shared/schema/answers.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { LifecycleService } from '../../services/lifecycle.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from './parameters.ts';

const ACTIONS: readonly { action: keyof LifecycleService; summary: string; errors: readonly ErrorCode[] }[] = [
  {
    action: 'start',
    summary: 'Start an instance',
    errors: [
      'port_in_use',
      'eula_not_accepted',
      'backup_in_progress',
      'already_in_progress',
      'launch_failed',
      'insufficient_storage',
    ],
  },
  { action: 'stop', summary: 'Stop an instance gracefully, its world saved', errors: [] },
  {
    action: 'restart',
    summary: 'Restart an instance; starts one that is stopped',
    errors: ['port_in_use', 'eula_not_accepted', 'backup_in_progress', 'already_in_progress', 'launch_failed'],
  },
  { action: 'kill', summary: 'End an instance at once; what was not saved is lost', errors: [] },
];

/** Answers confirm that the action has begun, not that it has ended. */
export function lifecycleRoutes(app: Api, { lifecycle }: Services): void {
  for (const { action, summary, errors } of ACTIONS) {
    app.post(
      `/instances/:id/${action}`,
      {
        schema: { params: ofInstance, response: { 200: actionResponse } },
        config: {
          operation: {
            id: `${action}Instance`,
            summary,
            tag: 'Lifecycle',
            access: needs('servers:write'),
            errors: ['instance_not_found', 'invalid_state', 'worker_unavailable', ...errors],
          },
        },
      },
      (request) => lifecycle[action](request.params.id),
    );
  }
}
