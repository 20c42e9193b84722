import type { Command } from 'commander';
import type { ActionResponse } from '../../../shared/schema/answers.ts';
import { runJob } from '../api/follow-job.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';

export function addRestore(program: Command): void {
  withCommonOptions(program.command('restore'))
    .description("Replace a server's folder with a backup")
    .argument('<id>', 'Id of the server')
    .argument('<backupId>', 'Id of the backup; see: gamekeeper backups <id>')
    .option('--restart', 'Stop the server first if it runs, and start it again afterwards')
    .action(async (id: string, backupId: string, { restart }: { restart?: true }, command: Command) => {
      const session = sessionOf(command);
      const path = `/instances/${encodeURIComponent(id)}/backups/${encodeURIComponent(backupId)}/restore`;
      if (session.interactive) {
        await runJob(session, { path, title: 'Restore', ...(restart && { body: { restart } }) });
        session.answer(undefined, () =>
          restart
            ? `Restored backup ${backupId}.`
            : `Restored backup ${backupId}. Start the server: npx gamekeeper start ${id}`,
        );
      } else {
        const { body } = await session.api.request<ActionResponse>('POST', path, {
          ...(restart && { body: { restart } }),
        });
        session.answer(body, ({ message }) => message);
      }
    });
}
