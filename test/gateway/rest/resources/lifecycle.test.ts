import t from 'tap';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { build } from '../../../support/processes/gateway-app.ts';
import { instanceConfig } from '../../../support/stand-ins/stand-in-daemon.ts';

const NEUTRAL = 'The port 25565 is in use by another instance, as its port.';
const NAMING = 'The port 25565 is in use by the instance "other" (Other), as its port.';

t.test('the instance that uses a port is named only to callers who can see it', async (t) => {
  const { app, supervisor, daemon, bearer, addUser, cookie } = await build(t);
  daemon.put(instanceConfig({ id: 'other', name: 'Other' }));
  supervisor.start = supervisor.restart = async () => {
    throw new GamekeeperError('port_in_use', NEUTRAL, {
      resolution: 'Stop that one.',
      otherInstance: { id: 'other', detail: NAMING, resolution: 'Stop "other".' },
    });
  };
  await addUser('limited', 'operator', { instances: [{ id: 'demo', role: 'operator' }] });
  const limited = await cookie('limited');
  for (const base of ['/instances', '/api/v1/instances', '/api/instances'])
    for (const action of ['start', 'restart']) {
      const told = async (headers: Record<string, string>) =>
        (await app.inject({ method: 'POST', url: `${base}/demo/${action}`, headers })).json();
      t.match(await told(await bearer()), { code: 'port_in_use', detail: NAMING, resolution: 'Stop "other".' });
      const shown = await told(limited);
      t.match(shown, { code: 'port_in_use', detail: NEUTRAL });
      t.notMatch(JSON.stringify(shown), /other"|Other/);
    }
});
