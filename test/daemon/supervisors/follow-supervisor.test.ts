import t from 'tap';
import { followSupervisor } from '../../../daemon/supervisors/follow-supervisor.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

t.test('a supervisor that cannot be checked counts as alive until it can', async (t) => {
  const failures: unknown[] = [];
  const looks = [Promise.reject(Object.assign(new Error('no more'), { code: 'EMFILE' })), true, false];
  let calls = 0;
  const link = {
    client: {
      call: {
        async *watch() {
          calls++;
          yield Promise.reject(new GamekeeperError('worker_unavailable', 'It is gone.'));
        },
      },
    },
    isAlive: async () => looks.shift()!,
  };
  await followSupervisor(link, {
    observe: () => undefined,
    onUnknown: (error) => failures.push(error),
    signal: new AbortController().signal,
  });
  t.match(failures, [{ code: 'EMFILE' }]);
  t.equal(calls, 2, 'retried while it lives');
  t.same(looks, []);
});
