import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { killIfAlive } from '../../../daemon/supervisors/end-supervisor.ts';

const signal = new AbortController().signal;

t.test('a supervisor that cannot be checked is killed once it can', async (t) => {
  const child = spawn('sleep', ['60']);
  const exited = once(child, 'exit');
  const failures: unknown[] = [];
  const looks = [Promise.reject(Object.assign(new Error('no more'), { code: 'EMFILE' })), true];
  await killIfAlive(
    { pid: child.pid!, isAlive: async () => looks.shift()! },
    { onUnknown: (error) => failures.push(error), signal },
  );
  t.same(await exited, [null, 'SIGKILL']);
  t.match(failures, [{ code: 'EMFILE' }]);
});

t.test('a supervisor that exits just then is no failure', async (t) => {
  const child = spawn('true');
  await once(child, 'exit');
  await t.resolves(
    killIfAlive(
      { pid: child.pid!, isAlive: async () => true },
      { onUnknown: (error) => t.fail(String(error)), signal },
    ),
  );
});
