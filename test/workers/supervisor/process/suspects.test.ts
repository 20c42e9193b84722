import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { homeAt } from '../../../../shared/node/files/home.ts';
import { findSuspects } from '../../../../workers/supervisor/process/suspects.ts';
import { requireRoot } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';

/** `games` of every Debian. */
const UID = 5;

t.test(
  'a process of the folder’s owner that has hidden from its run is suspected, one of somebody else is not',
  async (t) => {
    if (!requireRoot(t)) return;
    const home = homeAt(temporaryFolder(t));
    const folder = path.join(home.root, 'server');
    mkdirSync(folder);
    /** Leaves a process in the folder, without the environment of a run and with init as its parent. */
    const leave = async (uid: number) => {
      const script = 'cd "$1" && setsid setpriv --reuid "$2" --clear-groups env -i sleep 600 >/dev/null 2>&1 & echo $!';
      const pid = Number(execFileSync('sh', ['-c', script, 'sh', folder, String(uid)], { encoding: 'utf8' }));
      t.teardown(() => process.kill(pid, 'SIGKILL'));
      await until('it has hidden', () => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n');
      return pid;
    };
    const [own, others] = [await leave(UID), await leave(UID + 1)];
    const suspects = () => findSuspects(folder, { sinceTicks: 1, home }).map(({ pid }) => pid);
    t.same(suspects(), [], 'the folder is not theirs');
    chownSync(folder, UID, UID);
    t.same(suspects(), [own]);
    t.notOk(suspects().includes(others));
  },
);
