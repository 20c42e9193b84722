import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { identifyProcess } from '../../../../shared/node/processes/process-identity.ts';
import { gameRecord } from '../../../../workers/supervisor/game/game-record.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { smallDisk } from '../../jobs/backups/stores/far-folder.ts';

t.test(
  'after a power cut nothing is a game of before, whatever has its numbers now',
  { skip: process.platform !== 'linux' && 'start times are dates there' },
  async (t) => {
    const file = path.join(temporaryFolder(t), 'demo.game');
    // A session whose leader has gone, as a game leaves it.
    const leader = spawn('sh', ['-c', 'sleep 60 >/dev/null & echo $!'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [printed] = await once(leader.stdout, 'data');
    const stranger = Number(printed);
    t.teardown(() => process.kill(stranger, 'SIGKILL'));
    if (leader.exitCode === null) await once(leader, 'exit');

    await writeFile(file, JSON.stringify({ pid: leader.pid, startTime: '1', boot: 'the one before', mark: 'a mark' }));
    const record = gameRecord(file);
    t.equal(await record.left(), undefined);
    t.equal(await record.endLeft(100), false);
    t.ok(await identifyProcess(stranger));
    t.notOk(existsSync(file));
  },
);

t.test('what follows an announcement has its room already, whatever fills the disk', async (t) => {
  const disk = smallDisk(t, 1);
  if (!disk) return;
  const record = gameRecord(path.join(disk.directory, 'demo.game'));
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
  t.match(await record.left(), game);
  fillDisk('what the other record had');
  await t.rejects(record.write({ ...game, ready: true }), { code: 'ENOSPC' });
  t.match(await record.left(), game, 'as it was');
  await record.clear();
  t.same(readdirSync(disk.directory).sort(), ['ballast', 'what the other record had']);
});
