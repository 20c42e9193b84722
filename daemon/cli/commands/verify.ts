import type { Command } from 'commander';
import type { DrillResult, VerifyResponse } from '../../../shared/schema/backup.ts';
import { Failure } from '../api/failure.ts';
import { whileShowing } from '../api/follow-job.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { saySeconds } from '../terminal/quantities.ts';

export function addVerify(program: Command): void {
  withCommonOptions(program.command('verify'))
    .description('read a backup and its copies from end to end and compare them with their SHA-256')
    .argument('<id>', 'of the server')
    .argument('<backupId>', 'see: gamekeeper backups <id>')
    .option('--drill', 'rehearse a restore as well: unpack it beside the server, read every file back, remove it again')
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
      if (verified.ok === false) throw new Failure('Not everything that there should be of this backup is in order.');
    });
}

function verificationLines({ local = 'present', sha256, replicas }: VerifyResponse): string[] {
  const here = {
    present: `The archive on this machine is whole. SHA-256 ${sha256}`,
    missing: 'The archive on this machine is gone; a restore fetches a copy.',
    damaged: 'The archive on this machine is damaged; a restore fetches a copy.',
  }[local];
  return [here, ...replicas.map(({ store, ok, error }) => `The copy in ${store}: ${ok ? 'whole' : error}`)];
}

function drillLine({ fileCount = 0, durationMs }: DrillResult): string {
  return `It restores: ${fileCount} files came out as they were, in ${saySeconds(durationMs / 1000)}.`;
}
