import t from 'tap';
import { mustRun, runCommand } from '../../../../daemon/cli/service/run-command.ts';
import { uninterrupted } from '../../../../daemon/cli/terminal/uninterrupted.ts';
import { until } from '../../../support/machine/until.ts';

t.test('the output, the failure and the absence of a program', async (t) => {
  t.same(await runCommand(['sh', '-c', 'echo " yes "; echo but >&2']), { ok: true, stdout: 'yes', complaint: '' });
  const failing = ['sh', '-c', 'echo so far; echo no >&2; exit 3'] as const;
  t.same(await runCommand(failing), { ok: false, stdout: 'so far', complaint: 'no' });
  t.match(await runCommand(['sh', '-c', 'kill $$']), { ok: false, complaint: 'it ended with SIGTERM' });
  t.match(await runCommand(['no-such-program']), {
    ok: false,
    complaint: 'the program "no-such-program" is not on the PATH',
  });
  await t.rejects(mustRun(failing), { message: '"sh -c echo so far; echo no >&2; exit 3" failed: no' });
});

t.test('Ctrl-C does not reach the programs of uninterrupted work', async (t) => {
  if (process.platform !== 'linux') return;
  // proc_pid_stat(5): the process group, which gets the signals of a terminal.
  const ownGroup = async () => {
    const [pid, group] = (await runCommand(['sh', '-c', 'cut -d" " -f1,5 /proc/$$/stat'])).stdout.split(' ');
    return pid === group;
  };
  t.equal(await ownGroup(), false, 'same process group by default');
  t.equal(await uninterrupted(ownGroup, () => undefined), true);
});

t.test('a signal is reported once, and works as usual after the work', async (t) => {
  const before = process.listenerCount('SIGHUP');
  let told = 0;
  const work = async () => {
    for (const signal of ['SIGHUP', 'SIGTERM', 'SIGINT'] as const) {
      let isHeard = false;
      process.once(signal, () => {
        isHeard = true;
      });
      process.kill(process.pid, signal);
      await until(`${signal} is received`, () => isHeard);
    }
    return 'done';
  };
  t.equal(await uninterrupted(work, () => told++), 'done');
  t.equal(told, 1);
  t.equal(process.listenerCount('SIGHUP'), before);
});
