import type { Command } from 'commander';
import type { DrillResult, VerifyResponse } from '../../../shared/schema/backup.ts';
import { Failure } from '../api/failure.ts';
import { whileShowing } from '../api/follow-job.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { omissionLines } from '../terminal/omission-lines.ts';
import { formatSeconds } from '../terminal/quantities.ts';

export function addVerify(program: Command): void {
  withCommonOptions(program.command('verify'))
    .description('Read a backup and its copies and compare them with their SHA-256')
    .argument('<id>', 'Id of the server')
    .argument('<backupId>', 'Id of the backup; see: gamekeeper backups <id>')
    .option('--drill', 'Also test a restore: unpack the backup beside the server, read every file, and remove it again')
    .action(async (id: string, backupId: string, { drill = false }: { drill?: boolean }, command: Command) => {
      const session = sessionOf(command);
      const at = `/instances/${encodeURIComponent(id)}/backups/${encodeURIComponent(backupId)}`;
      const ask = async <Answer>(kind: 'verify' | 'drill', title: string): Promise<Answer> => {
        const asked = session.api.request<Answer>('POST', `${at}/${kind}`);
        return (await whileShowing(session, { kind, backupId, title }, asked)).body;
      };
      const verified = await ask<VerifyResponse>('verify', 'Verification');
      const drilled = drill ? await ask<DrillResult>('drill', 'Drill') : undefined;
      session.answer({ ...verified, ...(drilled && { drill: drilled }) }, () =>
        [...verificationLines(verified), ...(drilled ? [drillLine(drilled)] : [])].join('\n'),
      );
      if (verified.ok === false) throw new Failure('The backup or one of its copies is missing or damaged.');
    });
}

function verificationLines({ local = 'present', sha256, replicas, ...omissions }: VerifyResponse): string[] {
  const here = {
    present: `The archive on this machine is intact. SHA-256: ${sha256}`,
    missing: 'The archive on this machine is missing. A restore downloads a copy.',
    damaged: 'The archive on this machine is damaged. A restore downloads a copy.',
  }[local];
  const copies = replicas.map(({ store, ok, error }) => `Copy in ${store}: ${ok ? 'intact' : error}`);
  return [here, ...copies, ...omissionLines(omissions)];
}

function drillLine({ fileCount = 0, durationMs }: DrillResult): string {
  return `Restore tested: ${fileCount} files are correct (${formatSeconds(durationMs / 1000)}).`;
}
