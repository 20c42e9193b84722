import type { Command } from 'commander';
import type { BackupResponse } from '../../../shared/schema/answers.ts';
import type { Backup } from '../../../shared/schema/backup.ts';
import { runJob } from '../api/follow-job.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';
import { omissionLines } from '../terminal/omission-lines.ts';
import { formatBytes } from '../terminal/quantities.ts';
import { addBackupFiles } from './backup-files.ts';

const NOT_STILL =
  'WARNING: the server was running and could not be held still, so files may be of different moments. For a consistent backup, stop it first.';

export function addBackup(program: Command): void {
  const command = withCommonOptions(program.command('backup'))
    .description('Back up a server, running or stopped')
    .argument('<id>', 'Id of the server')
    .option('--no-cloud', 'Keep the archive on this machine only')
    .action(async (id: string, { cloud }: { cloud: boolean }, command: Command) => {
      const session = sessionOf(command);
      const backup = await backUp(session, `/instances/${encodeURIComponent(id)}`, { cloudReplicate: cloud });
      session.answer(backup, ({ backupId, sizeBytes, sha256, cloudStatus, quiesced, ...omissions }) =>
        [
          `Created backup ${backupId} (${formatBytes(sizeBytes)}).`,
          ...(quiesced === false ? [NOT_STILL] : []),
          ...omissionLines(omissions),
          `SHA-256: ${sha256}`,
          ...(cloudStatus === 'pending' ? [`Copies to the stores follow. See: npx gamekeeper backups ${id}`] : []),
          `To restore it: npx gamekeeper restore ${id} ${backupId} --restart`,
        ].join('\n'),
      );
    });
  addBackupFiles(command);
}

/** Returns all of the backup to someone who watches its progress, else the answer to the request. */
async function backUp(
  session: Session,
  at: string,
  body: { cloudReplicate: boolean },
): Promise<BackupResponse | Backup> {
  if (!session.interactive) return (await session.api.request<BackupResponse>('POST', `${at}/backup`, { body })).body;
  const job = await runJob(session, { path: `${at}/backup`, body, title: 'Backup' });
  return (await session.api.request<Backup>('GET', `${at}/backups/${job.backupId}`)).body;
}
