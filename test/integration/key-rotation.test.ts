/** Keys are rotated while two replicas and a daemon run: nobody notices, and the old ones end. The machine's clock is set ahead. */
import path from 'node:path';
import { decodeProtectedHeader, importJWK, type JWK, SignJWT } from 'jose';
import t from 'tap';
import { createKeyStore } from '../../gateway/proxy/oauth/keys/key-store.ts';
import { openDatabase } from '../../gateway/proxy/store/database.ts';
import { createVault } from '../../gateway/proxy/store/vault.ts';
import { machineClock } from '../support/machine/machine-clock.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { linkToProxy, untilConnected } from '../support/proxy/linked-daemon.ts';
import { askForTokens, refreshRequest } from '../support/proxy/token-requests.ts';
import { type TwoReplicas, twoReplicas } from '../support/proxy/two-replicas.ts';

/** Replicas read the keys every 10 s. */
const FOLLOWED_WITHIN_MS = 30_000;
const HOUR_MS = 3_600_000;

/** Resolves to the ids of the published keys, the one that signs first. */
async function publishedBy(address: string): Promise<string[]> {
  const { keys } = (await (await fetch(`${address}/oauth/jwks`)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

/** Reads the private key that signs, as somebody with a copy of database and secret could. */
async function stolenKey({ databaseUrl, secret }: TwoReplicas): Promise<JWK> {
  const database = await openDatabase({ file: '', url: databaseUrl, onError: () => undefined });
  const [key] = await createKeyStore({ database, vault: createVault(secret), now: Date.now }).read('signing');
  await database.destroy();
  return JSON.parse(key?.secret ?? '') as JWK;
}

t.test('a rotation', async (t) => {
  const clock = machineClock(t);
  if (!clock) return;
  const both = await twoReplicas(t, clock.env);
  if (!both) return;
  const { world, replicas } = both;
  const [here, there] = replicas;
  const gamekeeper = await startGamekeeper(t, { env: clock.env });
  const daemonId = path.basename(await linkToProxy(t, gamekeeper, world));
  await untilConnected(gamekeeper);
  const browser = await world.browser('anna');
  let { refresh_token: refreshToken } = await world.tokens(browser, [daemonId]);

  /** Resolves to the key that a replica signs with. All must accept its token: both replicas, and the daemon, which is linked to the first. */
  async function refreshAt({ address }: { address: string }): Promise<string> {
    const fresh = await askForTokens(world, refreshRequest(refreshToken), { address });
    refreshToken = fresh.refresh_token;
    const token = fresh.access_token ?? '';
    t.equal(await statusOf(here.address, token), 200, 'the daemon accepts it');
    t.not(await statusOf(there.address, token), 401, 'the other replica accepts it');
    return String(decodeProtectedHeader(token).kid);
  }
  async function statusOf(address: string, token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${address}/d/${daemonId}/instances`, { headers })).status;
  }
  const allPublish = (keys: readonly string[]) =>
    until(
      `both publish ${keys.join(', ')}`,
      async () => {
        const published = await Promise.all(replicas.map(({ address }) => publishedBy(address)));
        return published.every((ids) => ids.join() === keys.join());
      },
      { deadlineMs: FOLLOWED_WITHIN_MS, describe: () => replicas.map(({ proxy }) => proxy.output()).join('\n') },
    );

  const [old = ''] = await publishedBy(here.address);
  const leaked = await stolenKey(both);
  const { stdout } = await here.proxy.command(['key', 'rotate', '--json']);
  const listed = JSON.parse(stdout) as { id: string; purpose: string; state: string }[];
  const next = listed.find(({ purpose, state }) => purpose === 'signing' && state === 'next')?.id ?? '';
  t.match(listed, [{ id: old, state: 'signing' }, { id: next }, { purpose: 'cookies' }, { purpose: 'cookies' }]);

  await t.test('publishes the new key last, and signs with the old one', async () => {
    await allPublish([old, next]);
    for (const replica of replicas) t.equal(await refreshAt(replica), old);
  });

  await t.test('a day later the new one signs, and the old one counts', async (t) => {
    clock.set('+25h');
    await allPublish([next, old]);
    for (const replica of replicas) t.equal(await refreshAt(replica), next);
    t.match((await browser.open('/account')).text, /Attic/, 'browsers are still signed in');
    t.equal(await refreshAt(there), next);
  });

  /** Made with the old private key, for a program and a grant that exist. */
  async function forged(): Promise<string> {
    const fresh = await askForTokens(world, refreshRequest(refreshToken), here);
    refreshToken = fresh.refresh_token;
    const [, payload = ''] = (fresh.access_token ?? '').split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return new SignJWT({ ...claims, exp: claims.exp + (100 * HOUR_MS) / 1000 })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: old })
      .sign(await importJWK(leaked, 'ES256'));
  }
  const token = await forged();
  t.equal(await statusOf(here.address, token), 200, 'while the old key counts, so does what it has signed');

  await t.test('another day later nothing that the old key has signed is accepted', async (t) => {
    clock.set('+50h');
    await allPublish([next]);
    for (const replica of replicas) {
      t.equal(await refreshAt(replica), next);
      t.equal(await statusOf(replica.address, token), 401);
    }
    t.match(await here.proxy.command(['key', 'list']), { code: 0, stdout: /signing {2}signs/ });
  });

  await t.test('at once, if keys have leaked', async (t) => {
    await there.proxy.command(['key', 'rotate', '--now']);
    await until(
      'both have one other key',
      async () => {
        const [one, two] = await Promise.all(replicas.map(({ address }) => publishedBy(address)));
        return one?.length === 1 && one[0] !== next && one[0] === two?.[0];
      },
      { deadlineMs: FOLLOWED_WITHIN_MS },
    );
    for (const replica of replicas) t.not(await refreshAt(replica), next);
  });
});
