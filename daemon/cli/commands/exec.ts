import type { Command } from 'commander';
import { sessionOf, withCommonOptions } from '../api/session.ts';

export function addExec(program: Command): void {
  withCommonOptions(program.command('exec'))
    .description("run one command on a server's console and print the answer")
    .argument('<id>', 'of the server')
    .argument('<command...>', 'as it would be typed into the console; after -- it may hold anything')
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
