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

interface ActionText {
  /** Of the operation; default: such as `startInstance`. */
  id?: string;
  summary: string;
  description?: string;
  message: string;
  errors: readonly ErrorCode[];
}

const ACTIONS: Readonly<Record<Action, ActionText>> = {
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
  'restart-when-empty': {
    id: 'restartWhenEmpty',
    summary: 'Restart a running instance when nobody is online',
    description:
      'Once, when the server itself reports that nobody is online. It is kept when Gamekeeper restarts, and void after any other restart or stop. `restartWhenEmpty` of the instance shows it.',
    message: '"Demo" restarts when nobody is online.',
    errors: [],
  },
  'cancel-restart': {
    id: 'cancelRestart',
    summary: 'Cancel a restart that waits until nobody is online',
    message: '"Demo" keeps running.',
    errors: [],
  },
};

const ALL = Object.keys(ACTIONS) as Action[];

/** Answers confirm that the action has begun. */
export function lifecycleRoutes(app: Api, { lifecycle }: Services, actions: readonly Action[] = ALL): void {
  for (const action of actions) {
    const { id = `${action}Instance`, summary, description, message, errors } = ACTIONS[action];
    app.post(
      `/instances/:id/${action}`,
      {
        schema: { params: ofInstance, response: { 200: actionResponse } },
        config: {
          operation: {
            id,
            work: 'lifecycle',
            summary,
            ...(description !== undefined && { description }),
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
