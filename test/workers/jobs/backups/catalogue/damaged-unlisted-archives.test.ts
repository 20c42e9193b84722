import { utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import t from 'tap';
import { GamekeeperError } from '../../../../../shared/errors/gamekeeper-error.ts';
import {
  addUnlistedArchives,
  type UnlistedArchivesOptions,
} from '../../../../../workers/jobs/backups/catalogue/unlisted-archives.ts';
import { JobQueue } from '../../../../../workers/jobs/queue/queue.ts';
import { temporaryFolder } from '../../../../support/machine/temporary-folder.ts';

t.test('a damaged unlisted archive is read once, and again after it has changed', async (t) => {
  const archive = path.join(temporaryFolder(t), '20260101T030000Z-abcdef.zip');
  writeFileSync(archive, 'no ZIP');
  let reads = 0;
  let fault = new GamekeeperError('backup_damaged', 'The backup is damaged.');
  const options = {
    storage: {
      settings: async () => ({}),
      files: { find: async () => [{ instanceId: 'survival', backupId: '20260101T030000Z-abcdef', archive }] },
      catalogue: { has: () => false },
    },
    pool: {
      async run() {
        reads++;
        throw fault;
      },
    },
    log: pino({ enabled: false }),
  } as unknown as UnlistedArchivesOptions;
  const now = () => new Date(1_795_000_000_000);
  const queue = new JobQueue({ limit: 1, now, ticks: () => 0, newId: () => `j${reads}`, onFailed: () => undefined });
  const damaged = new Map<string, string>();
  const look = async () => {
    await addUnlistedArchives({ ...options, queue, damaged });
    return reads;
  };
  t.equal(await look(), 1);
  t.equal(await look(), 1, 'not read again the next day');
  utimesSync(archive, 1_000, 1_000);
  t.equal(await look(), 2, 'a changed file is read again');
  writeFileSync(archive.replace('.zip', '.json'), '{}');
  t.equal(await look(), 3, 'a changed manifest causes another read');

  fault = new GamekeeperError('internal_error', 'The disk did not answer.');
  writeFileSync(archive, 'another');
  t.equal(await look(), 4);
  t.equal(await look(), 5, 'an unreadable archive is retried');
});
