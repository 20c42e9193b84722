import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { SupervisorService } from '../../../shared/contract/supervisor.ts';
import { IdleExit } from '../../../workers/supervisor/idle-exit.ts';
import { withNotedUse } from '../../../workers/supervisor/noted-use.ts';

function idleAfter(afterMs: number, isNeeded = () => false) {
  const gone = Promise.withResolvers<string>();
  const idle = new IdleExit({ afterMs, isNeeded, onIdle: () => gone.resolve('gone') });
  // Its own timer keeps no process alive; in a test there is nothing else that would.
  const alive = setInterval(() => undefined, 1_000);
  void gone.promise.then(() => clearInterval(alive));
  return { idle, gone: gone.promise };
}

t.test('it leaves when nobody has needed it for some time', async (t) => {
  t.equal(await idleAfter(10).gone, 'gone');
});

t.test('it stays while something goes on', async (t) => {
  let needed = true;
  const { gone } = idleAfter(20, () => needed);
  t.equal(await Promise.race([gone, sleep(100, 'still there')]), 'still there');
  needed = false;
  t.equal(await gone, 'gone');
});

t.test('a call is a need, and so is a viewer for as long as it looks on; watching is none', async (t) => {
  const uses: string[] = [];
  const idle = {
    touch: () => void uses.push('touch'),
    enter: () => {
      uses.push('enter');
      return () => void uses.push('leave');
    },
  };
  async function* nothing() {}
  const service = withNotedUse(
    { status: () => ({ phase: 'stopped' }), watch: nothing, console: nothing } as unknown as SupervisorService,
    idle,
  );
  const { signal } = new AbortController();
  for await (const _ of service.watch(signal)) t.fail('there is nothing to watch');
  t.strictSame(uses, []);
  t.strictSame(service.status(), { phase: 'stopped' });
  for await (const _ of service.console(signal)) t.fail('there is nothing to see');
  t.strictSame(uses, ['touch', 'enter', 'leave']);
});
