import t from 'tap';
import { until } from '../../support/machine/until.ts';
import { build } from '../../support/processes/gateway-app.ts';
import { instanceConfig } from '../../support/stand-ins/stand-in-daemon.ts';

t.test('an answer that an event has overtaken does not replace it', async (t) => {
  const { app, bearer, daemon, supervisor } = await build(t);
  const headers = await bearer();
  const ask = (action: string) => app.inject({ method: 'POST', url: `/instances/demo/${action}`, headers });
  const phase = async () => (await app.inject({ url: '/instances/demo', headers })).json().phase;
  t.equal((await ask('start')).statusCode, 200);
  await until('it runs', async () => (await phase()) !== 'stopped');

  // The server stopped at once: the daemon's event arrives before the supervisor's answer.
  let asked = 0;
  Object.assign(supervisor, {
    async status() {
      const answer = supervisor.runtime;
      if (answer.phase !== 'stopping') return answer;
      asked++;
      supervisor.runtime = { phase: 'stopped' };
      daemon.put(instanceConfig(), supervisor.runtime, daemon.instance('demo').socket);
      await until('the event has arrived', async () => (await phase()) === 'stopped');
      return answer;
    },
  });
  t.equal((await ask('stop')).statusCode, 200);
  t.equal(asked, 1);
  t.equal(await phase(), 'stopped');
});
