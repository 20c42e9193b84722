import type { Command } from 'commander';
import type { Phase } from '../../../shared/domain/phase.ts';
import type { ActionResponse } from '../../../shared/schema/answers.ts';
import { awaitPhase } from '../api/await-phase.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { saySeconds } from '../terminal/quantities.ts';

export interface LifecycleAction {
  name: 'start' | 'stop' | 'restart' | 'kill';
  description: string;
  /** The phase that the action leads to. */
  wanted: Phase;
  /** "Demo is starting…" */
  doing: string;
}

/** A command that asks for a change of a server's state and, where a person is looking, waits until it is there. */
export function addLifecycle(program: Command, { name, description, wanted, doing }: LifecycleAction): void {
  withCommonOptions(program.command(name))
    .description(description)
    .argument('<id>', 'of the server')
    .option('--wait', `return when it is ${wanted} (default on a terminal)`)
    .option('--no-wait', 'return as soon as it is accepted (default elsewhere)')
    .action(async (id: string, { wait }: { wait?: boolean }, command: Command) => {
      const session = sessionOf(command);
      const started = performance.now();
      const { body } = await session.api.request<ActionResponse>(
        'POST',
        `/instances/${encodeURIComponent(id)}/${name}`,
      );
      if (!(wait ?? session.interactive)) {
        session.answer(body, ({ message }) => message);
        return;
      }
      const instance = await awaitPhase(session, id, { wanted, doing, begun: name === 'restart' });
      const took = saySeconds((performance.now() - started) / 1000);
      session.answer(body, () => `${instance.name} is ${wanted} (${took}).`);
    });
}
