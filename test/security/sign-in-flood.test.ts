/** A flood of sign-ins with wrong passwords, from one address or many, does not keep others from signing in. */
import t, { type Test } from 'tap';
import { build, PASSWORD, type World } from '../support/processes/gateway-app.ts';

const OWNER_ADDRESS = '198.51.100.7';
/** So many that the limit of failures per user and address does not end the flood. */
const USERS = 200;
/** Takes about 15 ms to check, a tenth of a real one. */
const COSTLY = 'scrypt$8192$8$1$AQEBAQEBAQEBAQEBAQEBAQ$AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE';

/** A gateway with an owner and the users whose passwords are guessed. The queue of passwords is the only limit. */
async function attacked(t: Test): Promise<World> {
  const world = await build(t, { settings: { limits: { requestsPerSecond: 100_000, burst: 100_000 } } });
  await world.addUser('admin', 'admin');
  const guessed = { role: 'viewer', passwordHash: COSTLY, mustChangePassword: false } as const;
  for (let n = 0; n < USERS; n++)
    world.daemon.addUser({ user: { ...guessed, instances: [], username: `user-${n}` }, by: null });
  return world;
}

function signIn({ app }: World, username: string, remoteAddress: string) {
  return app.inject({ method: 'POST', url: '/api/login', payload: { username, password: PASSWORD }, remoteAddress });
}

/** Keeps so many sign-ins under way from each address. Resolves to how to stop. */
async function flood(world: World, addresses: readonly string[], atOnce: number): Promise<() => Promise<void>> {
  let isOn = true;
  let names = 0;
  let refused = 0;
  const refusal = Promise.withResolvers<void>();
  const keepAsking = async (address: string) => {
    while (isOn) {
      const { statusCode } = await signIn(world, `user-${names++ % USERS}`, address);
      if (statusCode === 429 && ++refused > 50) refusal.resolve();
      await new Promise(setImmediate);
    }
  };
  const asking = addresses.flatMap((address) => Array.from({ length: atOnce }, () => keepAsking(address)));
  await refusal.promise;
  return async () => {
    isOn = false;
    await Promise.all(asking);
  };
}

for (const [what, addresses, atOnce] of [
  ['five addresses of this machine', Array.from({ length: 5 }, (_, n) => `127.0.0.${n + 1}`), 20],
  ['eighty other addresses', Array.from({ length: 80 }, (_, n) => `192.0.2.${n}`), 2],
] as const)
  t.test(`a flood from ${what} leaves a sign-in from another address working`, async (t) => {
    const world = await attacked(t);
    const stop = await flood(world, addresses, atOnce);
    t.equal((await signIn(world, 'admin', OWNER_ADDRESS)).statusCode, 200);
    await stop();
  });

t.test('a flood from the address of the owner leaves an owner working who has signed in before', async (t) => {
  const world = await attacked(t);
  t.equal((await signIn(world, 'admin', OWNER_ADDRESS)).statusCode, 200);
  const stop = await flood(world, [OWNER_ADDRESS], 40);
  t.equal((await signIn(world, 'admin', OWNER_ADDRESS)).statusCode, 200);
  await stop();
});

t.test('a flood does not keep users who are signed in from changing passwords', async (t) => {
  const world = await attacked(t);
  const { app, cookie } = world;
  const headers = await cookie();
  const stop = await flood(world, ['127.0.0.1', '192.0.2.1', OWNER_ADDRESS], 40);
  const user = { username: 'ann', role: 'viewer', password: 'one of her own' };
  t.equal((await app.inject({ method: 'POST', url: '/api/users', headers, payload: user })).statusCode, 201);
  const payload = { currentPassword: PASSWORD, newPassword: 'longer than 8' };
  t.equal((await app.inject({ method: 'PUT', url: '/api/password', headers, payload })).statusCode, 200);
  await stop();
});
