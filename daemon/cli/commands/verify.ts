import type { Command } from 'commander';
import type { VerifyResponse } from '../../../shared/schema/backup.ts';
import { sessionOf, withCommonOptions } from '../session.ts';

export function addVerify(program: Command): void {
  withCommonOptions(program.command('verify'))
    .description('read a backup from end to end and compare it with its SHA-256')
    .argument('<id>', 'of the server')
    .argument('<backupId>', 'see: gamekeeper backups <id>')
    .action(async (id: string, backupId: string, _options, command: Command) => {
      const session = sessionOf(command);
      const at = `/instances/${encodeURIComponent(id)}/backups/${encodeURIComponent(backupId)}`;
      const { body } = await session.api.request<VerifyResponse>('POST', `${at}/verify`);
      session.answer(body, ({ sha256 }) => `The backup is whole. SHA-256 ${sha256}`);
    });
}
