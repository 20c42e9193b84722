import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';

const DRAWER = join(import.meta.dirname, '../../fixtures/port-drawer.ts');
/** Without claims, about 33 of the 1000 ports would be drawn twice. */
const DRAWN = 500;

t.test('two processes at the same time never draw the same port', async (t) => {
  if (process.platform !== 'linux') return t.comment('left out: ports are claimed on Linux only');
  const draws = [1, 2].map(async () => {
    const drawer = fork(DRAWER, [String(DRAWN)]);
    t.teardown(() => drawer.kill('SIGKILL'));
    const [ports] = (await once(drawer, 'message')) as [number[]];
    return ports;
  });
  const ports = (await Promise.all(draws)).flat();
  t.equal(ports.length, 2 * DRAWN);
  t.equal(new Set(ports).size, ports.length);
});
