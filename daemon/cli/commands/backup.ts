import type { Command } from 'commander';
import type { BackupResponse } from '../../../shared/schema/answers.ts';
import type { Backup } from '../../../shared/schema/backup.ts';
import { runJob } from '../api/follow-job.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';
import { sayBytes } from '../terminal/quantities.ts';

export function addBackup(program: Command): void {
  withCommonOptions(program.command('backup'))
    .description('back a server up, whether it runs or not')
    .argument('<id>', 'of the server')
    .option('--no-cloud', 'keep the archive on this machine only')
    .action(async (id: string, { cloud }: { cloud: boolean }, command: Command) => {
      const session = sessionOf(command);
      const backup = await backUp(session, `/instances/${encodeURIComponent(id)}`, { cloudReplicate: cloud });
      session.answer(backup, ({ backupId, sizeBytes, sha256, cloudStatus }) =>
        [
          `Backup ${backupId}, ${sayBytes(sizeBytes)}`,
          `SHA-256 ${sha256}`,
          ...(cloudStatus === 'pending' ? [`Copies follow; see: npx gamekeeper backups ${id}`] : []),
          `Restore it when the server is stopped: npx gamekeeper restore ${id} ${backupId}`,
        ].join('\n'),
      );
    });
}

async function backUp(session: Session, at: string, body: { cloudReplicate: boolean }): Promise<BackupResponse> {
  if (!session.interactive) return (await session.api.request<BackupResponse>('POST', `${at}/backup`, { body })).body;
  const job = await runJob(session, { path: `${at}/backup`, body, title: 'Backup' });
  return (await session.api.request<Backup>('GET', `${at}/backups/${job.backupId}`)).body;
}
