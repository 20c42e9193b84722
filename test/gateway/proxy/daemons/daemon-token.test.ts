/** Tokens that daemons sign: what is accepted, and that nothing else is. */
import { randomUUID } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import t from 'tap';
import { createDaemonTokens } from '../../../../gateway/proxy/daemons/daemon-token.ts';

const ISSUER = 'https://proxy.example';
const daemonId = randomUUID();
const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
const daemon = { daemonId, accountId: 'anna', name: 'Attic', publicKey: await exportJWK(publicKey) };
const REFUSED = { code: 'unauthenticated' };
let now = Date.now();

const tokens = createDaemonTokens({
  issuer: ISSUER,
  now: () => now,
  directory: { isDisabled: async () => false, find: async (id) => (id === daemonId ? daemon : undefined) },
});

interface Parts {
  header?: object;
  claims?: Record<string, unknown>;
  key?: CryptoKey;
}

function token({ header, claims, key = privateKey }: Parts = {}): Promise<string> {
  const iat = Math.floor(now / 1000);
  const payload = { iss: daemonId, sub: daemonId, aud: ISSUER, iat, exp: iat + 60, jti: randomUUID(), ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', typ: 'gamekeeper-link+jwt', ...header }).sign(key);
}

t.test('a good token is accepted once', async (t) => {
  const good = await token();
  t.match(await tokens.redeem(good, daemonId), { accountId: 'anna' });
  await t.rejects(tokens.redeem(good, daemonId), { code: 'unauthenticated', message: /used before/ });
  t.ok(await tokens.redeem(await token(), daemonId));
});

t.test('of many uses at once, one is accepted', async (t) => {
  const good = await token();
  const checked = await Promise.allSettled(Array.from({ length: 20 }, () => tokens.redeem(good, daemonId)));
  t.equal(checked.filter(({ status }) => status === 'fulfilled').length, 1);
});

t.test('a used token stays refused until it has expired', async (t) => {
  const good = await token();
  t.ok(await tokens.redeem(good, daemonId));
  now += 85_000;
  t.ok(await tokens.redeem(await token(), daemonId));
  await t.rejects(tokens.redeem(good, daemonId), REFUSED);
});

t.test('anything else is refused', async (t) => {
  const seconds = Math.floor(now / 1000);
  const other = await generateKeyPair('EdDSA');
  const refused: Record<string, Promise<string>> = {
    'another key': token({ key: other.privateKey }),
    'another type': token({ header: { typ: 'at+jwt' } }),
    'no type': token({ header: { typ: undefined } }),
    'another issuer': token({ claims: { iss: randomUUID() } }),
    'another subject': token({ claims: { sub: randomUUID() } }),
    'another audience': token({ claims: { aud: 'https://other.example' } }),
    'too long a life': token({ claims: { exp: seconds + 61 } }),
    expired: token({ claims: { iat: seconds - 200, exp: seconds - 140 } }),
    'no id': token({ claims: { jti: undefined } }),
    'an empty id': token({ claims: { jti: '' } }),
    'a huge id': token({ claims: { jti: 'x'.repeat(129) } }),
    'no times': token({ claims: { exp: undefined, iat: undefined } }),
    nonsense: Promise.resolve('nonsense'),
    nothing: Promise.resolve(''),
  };
  for (const [name, made] of Object.entries(refused))
    await t.rejects(tokens.redeem(await made, daemonId), REFUSED, name);
  const unknown = randomUUID();
  const itsOwn = await token({ claims: { iss: unknown, sub: unknown } });
  await t.rejects(tokens.redeem(itsOwn, unknown), { code: 'daemon_unknown', message: /not linked/ });
  const unsigned = `${Buffer.from('{"alg":"none","typ":"gamekeeper-link+jwt"}').toString('base64url')}.${(await token()).split('.')[1]}.`;
  await t.rejects(tokens.redeem(unsigned, daemonId), REFUSED, 'unsigned');
});
