import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createAccounts } from '../../../../gateway/proxy/accounts/accounts.ts';
import { createDaemons } from '../../../../gateway/proxy/daemons/directory.ts';
import { type Claim, claimTunnel } from '../../../../gateway/proxy/edge/tunnels/claim.ts';
import { createEdges } from '../../../../gateway/proxy/edge/tunnels/edges.ts';
import { createTunnels } from '../../../../gateway/proxy/edge/tunnels/tunnels.ts';
import { type TestStore, withEachDatabase } from '../../../support/proxy/proxy-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const EDGE = {
  suffix: 'play.example.net',
  url: 'https://proxy.example.net',
  port: 25_565,
  udpPorts: { first: 20_001, last: 20_002 },
  mostTunnels: 3,
};

/** Two accounts with a computer each, and a running edge. */
async function edgeWorld({ database, now }: TestStore) {
  const accounts = createAccounts(database, now);
  const daemons = createDaemons(database, now);
  const account = async (name: string): Promise<Pick<Claim, 'accountId' | 'daemonId'>> => {
    const { id: accountId } = await accounts.add({ name, passwordHash: '', isAdmin: false });
    const daemonId = randomUUID();
    const publicKey = { kty: 'OKP', crv: 'Ed25519', x: 'x' };
    await daemons.register({ daemonId, accountId, name, publicKey, scopes: ['servers:read'] });
    return { accountId, daemonId };
  };
  const edges = createEdges(database, now);
  const announce = async () => {
    const stop = await edges.announce(EDGE, () => undefined);
    return stop;
  };
  const claim = async (who: Pick<Claim, 'accountId' | 'daemonId'>, instance: string, wish: Partial<Claim> = {}) =>
    (await claimTunnel({ ...who, instance, edition: 'java', ...wish }, { database, edges, now })).tunnel;
  return {
    anna: await account('anna'),
    ben: await account('ben'),
    daemons,
    tunnels: createTunnels(database, now),
    announce,
    claim,
  };
}

t.test('names and ports of servers', async (t) => {
  await withEachDatabase(t, async (t, store) => {
    const { anna, ben, announce, claim, tunnels, daemons } = await edgeWorld(store);
    await t.rejects(claim(anna, 'demo'), { code: 'invalid_state', message: /does not relay players/ });
    t.teardown(await announce());

    const demo = await claim(anna, 'demo', { hostname: 'friends' });
    t.match(demo, { label: 'friends', suffix: 'play.example.net', edition: 'java', isSuspended: false });
    t.match(await claim(anna, 'demo'), { id: demo.id, label: 'friends' }, 'kept without a wish');
    await t.rejects(claim(anna, 'other', { hostname: 'friends' }), { message: /friends\.play\.example\.net is taken/ });
    await t.rejects(claim(ben, 'demo', { hostname: 'friends' }), { message: /is taken/ });
    await t.rejects(claim(ben, 'demo', { hostname: 'www' }), { code: 'invalid_request' });
    const made = await claim(anna, 'other', { edition: 'bedrock' });
    t.match(made, { label: /^other-[0-9a-f]{6}$/, udpPort: 20_001 });

    await claim(anna, 'demo', { hostname: 'friends-2' });
    await t.rejects(claim(ben, 'demo', { hostname: 'friends' }), { message: /is taken/ }, 'the former name is kept');
    t.match(await claim(anna, 'third', { hostname: 'friends' }), { label: 'friends' }, 'for its account');
    await t.rejects(claim(anna, 'fourth'), { message: /has 3 servers/ });

    t.ok(await tunnels.remove(anna.daemonId, 'third'));
    await t.rejects(claim(ben, 'demo', { hostname: 'friends' }), { message: /is taken/ });
    store.clock.ahead += 31 * DAY_MS;
    t.teardown(await announce());
    t.match(await claim(ben, 'demo', { hostname: 'friends' }), { label: 'friends' }, 'free after a month');

    await daemons.remove(anna.daemonId, anna.accountId);
    await tunnels.removeOld();
    await t.rejects(claim(ben, 'b', { hostname: 'friends-2' }), { message: /is taken/ }, 'kept after its computer');
    store.clock.ahead += 31 * DAY_MS;
    await tunnels.removeOld();
    t.teardown(await announce());
    t.match(await claim(ben, 'b', { hostname: 'friends-2' }), { label: 'friends-2' });
  });
});

t.test('claims at once', async (t) => {
  await withEachDatabase(t, async (t, store) => {
    const { anna, ben, announce, claim } = await edgeWorld(store);
    t.teardown(await announce());
    const same = await Promise.allSettled([
      claim(anna, 'a', { hostname: 'friends' }),
      claim(ben, 'b', { hostname: 'friends' }),
    ]);
    t.same(same.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    const many = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        claim(ben, `many-${index}`, { edition: index < 2 ? 'bedrock' : 'java' }),
      ),
    );
    const given = many.filter(({ status }) => status === 'fulfilled').length;
    t.ok(given === 3 || given === 2, `${given} of 12: three for each account`);
  });
});

t.test('a suspended tunnel stays suspended', async (t) => {
  await withEachDatabase(t, async (t, store) => {
    const { anna, announce, claim, tunnels } = await edgeWorld(store);
    t.teardown(await announce());
    const { id } = await claim(anna, 'demo', { hostname: 'friends' });
    t.same(await tunnels.usable([id]), new Set([id]));
    t.ok(await tunnels.suspend('friends.play.example.net', true));
    t.notOk(await tunnels.suspend('others.play.example.net', true));
    t.same(await tunnels.usable([id]), new Set());
    t.notOk(await tunnels.remove(anna.daemonId, 'demo'), 'removing it would undo that');
    await t.rejects(claim(anna, 'demo', { hostname: 'another' }), { message: /suspended/ });
    t.ok(await tunnels.suspend('friends.play.example.net', false));
    t.match(await claim(anna, 'demo'), { label: 'friends' });
  });
});
