/** A one-time password counts one time (CVE-2025-69197 of the Panel: it could be replayed while its half minute lasted). */
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { startGamekeeper } from '../support/gamekeeper.ts';
import { requestJson } from '../support/request-json.ts';
import { signedInUser } from '../support/signed-in-user.ts';

const PERIOD_SECONDS = 30;

t.test('of many that sign in with the same code, one does; recovery codes go the same way', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { username, password, api } = await signedInUser(gamekeeper, { username: 'ann', role: 'operator' });
  const begun = await api<{ secret: string }>('POST', '/api/totp', { password });
  const totp = new TOTP({ secret: Secret.fromBase32(begun.body.secret) });
  const first = totp.generate();
  const confirmed = await api<{ recoveryCodes: string[] }>('POST', '/api/totp', { code: first });
  t.equal(confirmed.status, 200);
  const signIn = async (code: string) => {
    const body = { username, password, totp: code };
    return (await requestJson('POST', new URL('/api/login', gamekeeper.addresses().panel), { body })).status;
  };

  t.equal(await signIn(first), 401, 'the code that confirmed it is used up');
  // That of the next half minute counts already: phones are not exact.
  const next = totp.generate({ timestamp: Date.now() + PERIOD_SECONDS * 1000 });
  const race = await Promise.all([next, next, ` ${next} `, `${next.slice(0, 3)} ${next.slice(3)}`].map(signIn));
  t.same(race.sort(), [200, 401, 401, 401], 'however it is written');
  t.equal(await signIn(first), 401, 'nor does an earlier one count any more');

  const [recovery = ''] = confirmed.body.recoveryCodes;
  t.same((await Promise.all([recovery, recovery.toUpperCase()].map(signIn))).sort(), [200, 401]);
  await gamekeeper.endDaemon('SIGKILL');
  await gamekeeper.startDaemon();
  t.equal(await signIn(recovery), 401, 'a restart brings nothing back');
  t.equal(await signIn(next), 401);
});
