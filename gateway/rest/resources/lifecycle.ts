import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { actionResponse } from '../../../shared/schema/answers.ts';
import { needs, SUPERVISOR_ERRORS } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { LifecycleService } from '../../services/lifecycle.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';

type Action = keyof LifecycleService;

const START_ERRORS: readonly ErrorCode[] = [
  'port_in_use',
  'eula_not_accepted',
  'backup_in_progress',
  'launch_failed',
  'insufficient_storage',
];

const ACTIONS: Readonly<Record<Action, { summary: string; message: string; errors: readonly ErrorCode[] }>> = {
  start: { summary: 'Start an instance', message: '"Demo" is starting.', errors: START_ERRORS },
  stop: { summary: 'Save the world and stop an instance', message: '"Demo" is stopping.', errors: [] },
  restart: {
    summary: 'Restart an instance, or start it if it is stopped',
    message: '"Demo" is restarting.',
    errors: START_ERRORS,
  },
  kill: {
    summary: 'Kill an instance at once; unsaved progress is lost',
    message: '"Demo" is being killed.',
    errors: [],
  },
};

/** Answers confirm that the action has begun. */
export function lifecycleRoutes(
  app: Api,
  { lifecycle }: Services,
  actions: readonly Action[] = ['start', 'stop', 'restart', 'kill'],
): void {
  for (const action of actions) {
    const { summary, message, errors } = ACTIONS[action];
    app.post(
      `/instances/:id/${action}`,
      {
        schema: { params: ofInstance, response: { 200: actionResponse } },
        config: {
          operation: {
            id: `${action}Instance`,
            work: 'lifecycle',
            summary,
            tag: 'Lifecycle',
            access: needs('servers:write'),
            errors: [...SUPERVISOR_ERRORS, 'invalid_state', ...errors],
            answers: { 200: { description: 'The action has begun.', example: { success: true, message } } },
          },
        },
      },
      (request) => lifecycle[action](request.params.id, request.identity!),
    );
  }
}
