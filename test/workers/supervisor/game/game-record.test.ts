import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { identifyProcess } from '../../../../shared/node/processes/process-identity.ts';
import { createGameRecord, keepRecord } from '../../../../workers/supervisor/game/game-record.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { smallDisk } from '../../jobs/backups/stores/store-folder.ts';

t.test(
  'a record from before a reboot matches no process, even if the numbers are in use again',
  { skip: process.platform !== 'linux' && 'start times are dates there' },
  async (t) => {
    const file = path.join(temporaryFolder(t), 'demo.game');
    // A session without its leader, as an ended game may leave it.
    const leader = spawn('sh', ['-c', 'sleep 60 >/dev/null & echo $!'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [printed] = await once(leader.stdout, 'data');
    const stranger = Number(printed);
    t.teardown(() => process.kill(stranger, 'SIGKILL'));
    if (leader.exitCode === null) await once(leader, 'exit');

    await writeFile(file, JSON.stringify({ pid: leader.pid, startTime: '1', boot: 'the one before', mark: 'a mark' }));
    const record = createGameRecord(file);
    t.equal(await record.findOrphan(), undefined);
    t.equal(await record.endOrphan({ graceMs: 100, notice: () => undefined }), false);
    t.ok(await identifyProcess(stranger));
    t.notOk(existsSync(file));
  },
);

t.test('an announcement reserves the disk space of the record that follows', async (t) => {
  const disk = smallDisk(t, 1);
  if (!disk) return;
  const record = createGameRecord(path.join(disk.directory, 'demo.game'));
  await record.announce('a mark');
  const fillDisk = (file: string) =>
    t.throws(() => writeFileSync(path.join(disk.directory, file), Buffer.alloc(2 ** 20)), { code: 'ENOSPC' });
  fillDisk('ballast');
  const game = {
    pid: process.pid,
    mark: 'a mark',
    startedAt: 1,
    ready: false,
    keepsRunning: true,
    host: '127.0.0.1',
    port: 25565,
    rconPort: null,
    provisioned: { java: '/a/java', start: ['-jar', 'server.jar'] },
  };
  await record.write(game);
  t.match(await record.findOrphan(), game);
  fillDisk('the space of the other record');
  await t.rejects(record.write({ ...game, ready: true }), { code: 'ENOSPC' });
  t.match(await record.findOrphan(), game, 'the record is unchanged');
  await record.clear();
  t.same(readdirSync(disk.directory).sort(), ['ballast', 'the space of the other record']);
});

t.test('a record that cannot be written is retried until it can, and logged once', async (t) => {
  const logged: string[] = [];
  let attempts = 0;
  const kept = keepRecord(
    async () => {
      if (++attempts < 3) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    },
    (_level, message) => logged.push(message),
  );
  await kept.update();
  t.equal(attempts, 1, 'the caller waits for one attempt only');
  await until('the record is written', () => attempts === 3);
  await kept.end();
  t.equal(logged.length, 1);
});

t.test('an ended record is not written again', async (t) => {
  let attempts = 0;
  const kept = keepRecord(
    async () => {
      attempts++;
      throw new Error('never');
    },
    () => undefined,
  );
  await kept.update();
  await kept.end();
  await kept.update();
  t.equal(attempts, 1);
});
