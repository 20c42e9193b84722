import type { Command } from 'commander';
import { sessionOf, withCommonOptions } from '../api/session.ts';

export function addExec(program: Command): void {
  withCommonOptions(program.command('exec'))
    .description("Run one command on a server's console and print the answer")
    .argument('<id>', 'Id of the server')
    .argument('<command...>', 'The command; after -- it may contain options')
    .allowUnknownOption()
    .action(async (id: string, words: string[], _options, command: Command) => {
      const session = sessionOf(command);
      const { body } = await session.api.request<{ output: string }>(
        'POST',
        `/instances/${encodeURIComponent(id)}/commands`,
        { body: { command: words.join(' ') } },
      );
      session.answer(body, ({ output }) => output.replace(/\n$/, ''));
    });
}
