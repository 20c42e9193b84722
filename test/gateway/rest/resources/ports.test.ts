import t from 'tap';
import { build } from '../../../support/processes/gateway-app.ts';
import { instanceConfig } from '../../../support/stand-ins/stand-in-daemon.ts';

t.test(
  'the ports of instances are listed for callers who see them, and a change warns of one that another has',
  async (t) => {
    const { app, addUser, bearer, daemon } = await build(t);
    daemon.put(instanceConfig({ port: 25_565 }));
    daemon.put(instanceConfig({ id: 'other', name: 'Other', port: 25_570 }));
    await addUser('boss', 'admin');
    await addUser('eve', 'viewer', { instances: ['demo'] });

    const list = async (by: string) =>
      (await app.inject({ url: '/ports', headers: await bearer(undefined, by) })).json();
    const demo = { instanceId: 'demo', port: 25_565, transport: 'tcp', purpose: 'game' };
    t.same(await list('boss'), [demo, { ...demo, instanceId: 'other', port: 25_570 }]);
    t.same(await list('eve'), [demo]);

    const change = async (payload: object) =>
      app.inject({ method: 'PATCH', url: '/instances/demo', headers: await bearer(undefined, 'boss'), payload });
    const warned = await change({ port: 25_570 });
    t.equal(warned.statusCode, 200, 'it is changed all the same');
    t.match(warned.json(), {
      port: 25_570,
      warnings: [
        'The port 25570 is also the port of the instance "other" (Other). The two cannot run at the same time.',
      ],
    });
    t.notOk('warnings' in (await change({ name: 'Mine' })).json(), 'only after a change of ports');
    t.notOk('warnings' in (await change({ port: 25_571 })).json());
  },
);
