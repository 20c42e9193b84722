import { isLive } from '../../shared/domain/instance/phase.ts';
import type { InstanceRuntime } from '../../shared/domain/instance/runtime.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../shared/node/files/home.ts';
import { readLivingGame } from '../../shared/node/processes/process-record.ts';
import type { Supervisors } from '../supervisors/supervisors.ts';
import type { Registry } from './registry.ts';

/** Other instances' changes wait for this, so a supervisor that hangs must not delay it longer. Milliseconds. */
const ANSWER_WITHIN_MS = 3_000;

export interface Stoppable {
  home: Home;
  registry: Registry;
  supervisors: Supervisors;
}

/** Throws `invalid_state` unless the instance is stopped. `action` ends the sentence "Only a stopped instance …". */
export async function requireStopped(
  id: string,
  action: string,
  { home, registry, supervisors }: Stoppable,
): Promise<void> {
  checkStopped(id, action, registry.get(id).runtime);
  if (await readLivingGame(home.gameRecord(id)))
    throw new GamekeeperError('invalid_state', `The server of "${id}" still runs, although its supervisor died.`, {
      resolution: 'It gets a new supervisor in a moment, or when you start it. Then stop it.',
    });
  const supervisor = await supervisors.find(id);
  if (supervisor)
    checkStopped(id, action, await supervisor.client.call.status(undefined, { timeoutMs: ANSWER_WITHIN_MS }));
}

function checkStopped(id: string, action: string, { phase, activity }: InstanceRuntime): void {
  const state = activity ?? phase;
  if (activity === undefined && !isLive(phase)) return;
  throw new GamekeeperError('invalid_state', `"${id}" is ${state}. Only a stopped instance ${action}.`, {
    resolution: 'Stop it first.',
  });
}
