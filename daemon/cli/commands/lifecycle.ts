import type { Command } from 'commander';
import type { Phase } from '../../../shared/domain/instance/phase.ts';
import type { ActionResponse } from '../../../shared/schema/answers.ts';
import { awaitPhase } from '../api/await-phase.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { formatSeconds } from '../terminal/quantities.ts';

interface LifecycleAction {
  name: 'start' | 'stop' | 'restart' | 'kill';
  description: string;
  /** The phase that the action leads to. */
  wanted: Phase;
  /** "Demo is starting…" */
  doing: string;
}

const ACTIONS: readonly LifecycleAction[] = [
  { name: 'start', description: 'Start a server', wanted: 'running', doing: 'starting' },
  { name: 'stop', description: 'Save the world and stop a server', wanted: 'stopped', doing: 'stopping' },
  {
    name: 'restart',
    description: 'Stop a server gracefully and start it again',
    wanted: 'running',
    doing: 'restarting',
  },
  { name: 'kill', description: 'End a server at once; unsaved changes are lost', wanted: 'stopped', doing: 'ending' },
];

/** Adds the commands that change a server's state. At a terminal they wait until it is reached. */
export function addLifecycle(program: Command): void {
  for (const { name, description, wanted, doing } of ACTIONS)
    withCommonOptions(program.command(name))
      .description(description)
      .argument('<id>', 'Id of the server')
      .option('--wait', `Return when the server is ${wanted} (default at a terminal)`)
      .option('--no-wait', 'Return as soon as the request is accepted (default elsewhere)')
      .action(async (id: string, { wait }: { wait?: boolean }, command: Command) => {
        const session = sessionOf(command);
        const started = performance.now();
        const path = `/instances/${encodeURIComponent(id)}/${name}`;
        const { body } = await session.api.request<ActionResponse>('POST', path);
        if (!(wait ?? session.interactive)) {
          session.answer(body, ({ message }) => message);
          return;
        }
        const instance = await awaitPhase(session, id, { wanted, doing, begun: name === 'restart' });
        const took = formatSeconds((performance.now() - started) / 1000);
        session.answer(body, () => `${instance.name} is ${wanted} (${took}).`);
      });
}
