import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { startTestJobs } from '../../../support/jobs/test-jobs.ts';

t.test('the stats sum up existing backups and count how backups end', async (t) => {
  const { home, call, done, restart } = await startTestJobs(t, { instances: ['survival', 'other'] });
  t.match(await call.stats(), {
    process: { pid: process.pid },
    waiting: 0,
    running: 0,
    backups: [],
    attempts: [],
  });
  const backUp = () => call.startBackup({ instanceId: 'survival', cloudReplicate: false, reason: 'manual' });
  mkdirSync(home.instanceDirectory('survival'), { recursive: true });
  writeFileSync(path.join(home.instanceDirectory('survival'), 'level.dat'), 'world');
  await done(backUp());
  await done(backUp());
  rmSync(home.instanceDirectory('survival'), { recursive: true });
  await t.rejects(done(backUp()));

  const [newest, older] = await call.backups({ instanceId: 'survival' });
  const backups = [
    {
      instanceId: 'survival',
      count: 2,
      bytes: (newest?.sizeBytes ?? 0) + (older?.sizeBytes ?? 0),
      newest: {
        at: Date.parse(newest?.createdAt ?? ''),
        durationMs: newest?.durationMs,
        bytes: newest?.sizeBytes,
        omitted: 0,
      },
    },
  ];
  const { backups: totals, attempts } = await call.stats();
  t.same(totals, backups);
  t.same(attempts, [{ instanceId: 'survival', made: 2, failed: 1 }]);

  await restart();
  const after = await call.stats();
  t.same(after.backups, backups, 'the backups survive the process');
  t.same(after.attempts, [], 'the counts do not survive the process');
});
