import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import t from 'tap';
import { identifyProcess } from '../../../shared/node/process-identity.ts';
import { gameRecord } from '../../../workers/supervisor/game-record.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
