import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { SupervisorService } from '../../../../shared/contract/supervisor.ts';
import { countingUse, IdleExit } from '../../../../workers/supervisor/own-process/idle-exit.ts';

function idleAfter(afterMs: number, isNeeded = () => false) {
  const gone = Promise.withResolvers<string>();
  const idle = new IdleExit({ afterMs, isNeeded, onIdle: () => gone.resolve('gone') });
  // Its timer is unreferenced, so something else must keep the test process alive.
  const alive = setInterval(() => undefined, 1_000);
  void gone.promise.then(() => clearInterval(alive));
  return { idle, gone: gone.promise };
}

t.test('an unused supervisor exits after some time', async (t) => {
  t.equal(await idleAfter(10).gone, 'gone');
});

t.test('a supervisor that is needed stays', async (t) => {
  let needed = true;
  const { gone } = idleAfter(20, () => needed);
  t.equal(await Promise.race([gone, sleep(100, 'still there')]), 'still there');
  needed = false;
  t.equal(await gone, 'gone');
});

t.test('calls and open consoles count as use, watching and a refused hand-over do not', async (t) => {
  const uses: string[] = [];
  const idle = {
    touch: () => void uses.push('touch'),
    enter: () => {
      uses.push('enter');
      return () => void uses.push('leave');
    },
  };
  async function* nothing() {}
  const service = countingUse(
    {
      ...{ status: () => ({ phase: 'stopped' }), watch: nothing, console: nothing },
      handOver: () => Promise.reject(new Error('not now')),
    } as unknown as SupervisorService,
    idle,
  );
  const { signal } = new AbortController();
  for await (const _ of service.watch(signal)) t.fail('unexpected item in the stream');
  await t.rejects(service.handOver());
  t.strictSame(uses, []);
  t.strictSame(service.status(), { phase: 'stopped' });
  for await (const _ of service.console(signal)) t.fail('unexpected item in the stream');
  t.strictSame(uses, ['touch', 'enter', 'leave']);
});
