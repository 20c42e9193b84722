import t from 'tap';
import type { SupervisorService } from '../../../../shared/contract/supervisor.ts';
import { LastCall } from '../../../../workers/supervisor/own-process/last-call.ts';

function serviceOf(methods: Partial<SupervisorService>) {
  const lastCall = new LastCall();
  return { lastCall, service: lastCall.wrap(methods as SupervisorService) };
}

function leave(lastCall: LastCall): void {
  lastCall.assertLast();
  lastCall.end();
}

t.test('it waits for nobody: while another call is under way, the end is refused', async (t) => {
  const answer = Promise.withResolvers<string>();
  const { lastCall, service } = serviceOf({ command: () => answer.promise, stop: async () => leave(lastCall) });
  const asked = service.command('list');
  await t.rejects(service.stop(), { code: 'already_in_progress' });
  answer.resolve('nobody');
  t.equal(await asked, 'nobody');
  await service.stop();
  t.throws(() => service.command('list'), { code: 'worker_unavailable' });
});

t.test('calls that fail are over, and streams do not count', async (t) => {
  const { lastCall, service } = serviceOf({
    sendLine: () => {
      throw new Error('no');
    },
    start: async () => {
      throw new Error('no');
    },
    stats: () => ({}) as ReturnType<SupervisorService['stats']>,
    stop: async () => leave(lastCall),
  });
  t.throws(() => service.sendLine('x'));
  await t.rejects(service.start());
  await service.stop();
  t.ok(service.stats(), 'the daemon may still ask whether it lives');
});
