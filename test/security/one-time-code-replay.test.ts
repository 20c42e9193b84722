/**
 * A one-time code that an attacker has seen cannot be used again: not in parallel, not after the gateway was killed, not after the daemon was
 * killed (CVE-2025-69197: Pterodactyl accepted a code any number of times while it was valid).
 */
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { administrator, signIn, tryToSignIn } from '../support/browser/panel-user.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { processesOf } from '../support/processes/leftovers.ts';

const PERIOD_MS = 30_000;

t.test('a code is accepted once, also across kills of gateway and daemon', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const owner = { username: 'admin', password: gamekeeper.password };
  const admin = await administrator(gamekeeper);
  const begun = await admin.ask<{ secret: string }>('POST', '/api/totp', { password: owner.password });
  const totp = new TOTP({ secret: Secret.fromBase32(begun.body.secret) });
  // The previous code is accepted for the rest of this period only.
  await until('enough of the period is left', () => Date.now() % PERIOD_MS < PERIOD_MS - 5_000);
  const code = (ahead: number) => totp.generate({ timestamp: Date.now() + ahead * PERIOD_MS });
  const confirmed = await admin.ask<{ recoveryCodes: string[] }>('POST', '/api/totp', { code: code(-1) });
  t.equal(confirmed.status, 200);
  const [recovery = '', unused = ''] = confirmed.body.recoveryCodes;
  const codeOf = async (totp?: string) => {
    const { status, body } = await tryToSignIn(gamekeeper, { ...owner, ...(totp !== undefined && { totp }) });
    return status === 200 ? 'in' : body.code;
  };
  /** A successful sign-in resets the failure limit, which is not tested here. */
  const forgive = () => signIn(gamekeeper, { ...owner, totp: confirmed.body.recoveryCodes.pop() ?? '' });

  t.equal(await codeOf(), 'totp_required');
  const now = code(0);
  const tried = await Promise.all(Array.from({ length: 5 }, () => codeOf(now)));
  t.equal(tried.filter((result) => result === 'in').length, 1, `one of five in parallel: ${tried.join(' ')}`);
  t.equal(await codeOf(recovery), 'in');
  t.equal(await codeOf(recovery), 'totp_invalid', 'a recovery code is accepted once');

  const next = code(1);
  t.equal(await codeOf(next), 'in');
  const gateway = processesOf(gamekeeper.home).find(({ command }) => /gateway\/main/.test(command));
  process.kill(gateway?.pid ?? 0, 'SIGKILL');
  const replayed = await until('the next gateway answers', () => codeOf(next).catch(() => undefined));
  t.equal(replayed, 'totp_invalid', 'after the gateway was killed');
  t.equal(await codeOf(recovery), 'totp_invalid');
  await forgive();

  await gamekeeper.endDaemon('SIGKILL');
  await gamekeeper.startDaemon();
  for (const used of [next, now, recovery]) t.equal(await codeOf(used), 'totp_invalid', 'after the daemon was killed');
  t.equal(await codeOf(unused), 'in', 'an unused code is still accepted');
});
