import type { Command } from 'commander';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import type { Instance } from '../../../shared/schema/instance.ts';
import { Failure } from '../api/failure.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { pipeConsole } from '../console/pipe-console.ts';
import { typeConsole } from '../console/type-console.ts';

export function addConsole(program: Command): void {
  withCommonOptions(program.command('console'))
    .description("Open a server's live console; Ctrl-C leaves it")
    .argument('<id>', 'Id of the server')
    .addHelpText('after', '\nWith a pipe, each line is one command: echo list | gamekeeper console demo')
    .action(async (id: string, _options, command: Command) => {
      const session = sessionOf(command);
      if (session.json)
        throw new Failure('--json is not possible for a console. Use: gamekeeper exec --json', {
          exitCode: EXIT.usage,
        });
      const { body } = await session.api.request<Instance>('GET', `/instances/${encodeURIComponent(id)}`);
      if (process.stdin.isTTY && process.stdout.isTTY) await typeConsole(session.home, body);
      else await pipeConsole(session.home, body.id);
    });
}
