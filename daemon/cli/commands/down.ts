import type { Command } from 'commander';
import type { ActionResponse } from '../../../shared/schema/answers.ts';
import { withDaemon } from '../api/daemon-client.ts';
import { endDaemon } from '../api/end-daemon.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';

export function addDown(program: Command): void {
  withCommonOptions(program.command('down'))
    .description('Stop Gamekeeper; the servers keep running')
    .option('--with-servers', 'Save the worlds and stop all servers first')
    .action(async ({ withServers = false }: { withServers?: boolean }, command: Command) => {
      const session = sessionOf(command);
      await withDaemon(session.home, (daemon) => endDaemon(daemon, { withServers, note: session.note }));
      const done: ActionResponse = { success: true, message: 'Gamekeeper has stopped.' };
      session.answer(done, ({ message }) => message);
    });
}
