import { DatabaseSync } from 'node:sqlite';
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { storeIn } from '../../../daemon/store/store.ts';
import { createCredentials } from '../../../daemon/users/credentials.ts';
import type { TokenRecord } from '../../../shared/contract/daemon/credentials.ts';
import type { SessionRecord } from '../../../shared/contract/daemon/sessions.ts';
import type { NewUser } from '../../../shared/contract/daemon/users.ts';
import type { VerifiedUser } from '../../../shared/contract/daemon/verified-user.ts';

const NOW = '2026-11-20T08:00:00.000Z';
const LATER = '2026-11-21T08:00:00.000Z';
const STALE = { code: 'unauthenticated' };

function user(username: string, parts: Partial<NewUser> = {}): NewUser {
  return { username, role: 'admin', passwordHash: 'h', mustChangePassword: false, instances: ['*'], ...parts };
}

function session(username: string, tokenHash: string): SessionRecord {
  return { tokenHash, username, expiresAt: LATER, absoluteExpiresAt: LATER };
}

function token(id: string): TokenRecord {
  return { id, name: id, scopes: [], unrestricted: true, createdBy: 'ann', createdAt: NOW, expiresAt: LATER };
}

/** A daemon's credentials with two administrators. `ann` is signed in. */
function signedIn() {
  const daemon = createCredentials(storeIn(new DatabaseSync(':memory:')), () => NOW);
  for (const name of ['ann', 'root']) daemon.addUser({ user: user(name), by: null });
  const verified = (tokenHash?: string): VerifiedUser => {
    const { username, version } = daemon.user('ann')!;
    return { username, version, tokenHash };
  };
  daemon.addSession({ session: session('ann', 's'), by: verified() });
  return { daemon, verified };
}

type Signed = ReturnType<typeof signedIn>;

/** Every change that a verified user can ask for. */
const CHANGES: Record<string, (daemon: Signed['daemon'], by: VerifiedUser) => unknown> = {
  addSession: (daemon, by) => daemon.addSession({ session: session('ann', 'new'), by }),
  setPassword: (daemon, by) => daemon.setPassword({ passwordHash: 'new', session: session('ann', 'new'), by }),
  addUser: (daemon, by) => daemon.addUser({ user: user('new'), by }),
  updateUser: (daemon, by) => daemon.updateUser({ username: 'root', change: { passwordHash: 'new' }, by }),
  removeUser: (daemon, by) => daemon.removeUser({ username: 'root', by }),
  addToken: (daemon, by) => daemon.addToken({ token: token('new'), by }),
  revokeToken: (daemon, by) => daemon.revokeToken({ id: 'old', by }),
  beginTotp: (daemon, by) => daemon.beginTotp(by),
  removeTotp: (daemon, by) => daemon.removeTotp(by),
  renewRecoveryCodes: (daemon, by) => daemon.renewRecoveryCodes(by),
  removeRecoveryCodes: (daemon, by) => daemon.removeRecoveryCodes(by),
};

/** What makes a verified user stale. */
const STALENESS: Record<string, (daemon: Signed['daemon']) => unknown> = {
  'another password': (daemon) => daemon.updateUser({ username: 'ann', change: { passwordHash: 'o' }, by: null }),
  'another role': (daemon) => daemon.updateUser({ username: 'ann', change: { role: 'viewer' }, by: null }),
  'the same role again': (daemon) => daemon.updateUser({ username: 'ann', change: { role: 'admin' }, by: null }),
  disabled: (daemon) => daemon.updateUser({ username: 'ann', change: { disabled: true }, by: null }),
  'no second factor': (daemon) => daemon.updateUser({ username: 'ann', change: { totp: false }, by: null }),
  'signed out': (daemon) => daemon.endSession('s'),
  'signed out everywhere': (daemon) => daemon.endSessionsOf('ann'),
  'another user of the name'(daemon) {
    daemon.removeUser({ username: 'ann', by: null });
    daemon.addUser({ user: user('ann'), by: null });
  },
};

for (const [name, change] of Object.entries(CHANGES))
  t.test(`${name} is refused for a user who has changed since`, async (t) => {
    for (const [what, makeStale] of Object.entries(STALENESS)) {
      const { daemon, verified } = signedIn();
      daemon.addToken({ token: token('old'), by: null });
      const by = verified('s');
      makeStale(daemon);
      const state = () => JSON.stringify([daemon.users(), daemon.tokens(), daemon.session('new')]);
      const before = state();
      await t.rejects(async () => change(daemon, by), STALE, what);
      t.equal(state(), before, `${what}: nothing has changed`);
    }
  });

t.test('a second factor is confirmed only for the session and the user that began it', async (t) => {
  const { daemon, verified } = signedIn();
  const { secret } = await daemon.beginTotp(verified('s'));
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(NOW) });
  const signingIn = verified();
  daemon.addSession({ session: session('ann', 'elsewhere'), by: signingIn });

  const stale = verified('s');
  daemon.updateUser({ username: 'ann', change: { mustChangePassword: true }, by: null });
  await t.rejects(daemon.confirmTotp({ code, by: stale }), STALE);
  t.equal(daemon.user('ann')?.totp, false);

  const before = verified();
  t.equal((await daemon.confirmTotp({ code, by: verified('s') }))?.length, 10, 'and the code was not used up');
  t.ok(daemon.session('s'));
  t.equal(daemon.session('elsewhere'), null, 'other sessions end');
  t.throws(() => daemon.addSession({ session: session('ann', 'late'), by: before }), STALE, 'a sign-in without a code');
});

t.test('using codes leaves a user as verified, so that signing in with them works', async (t) => {
  const { daemon, verified } = signedIn();
  const { secret } = await daemon.beginTotp(verified('s'));
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const at = (ahead: number) => totp.generate({ timestamp: Date.parse(NOW) + ahead * 30_000 });
  const codes = (await daemon.confirmTotp({ code: at(0), by: verified('s') })) ?? [];
  for (const code of [at(1), codes[0]!]) {
    const by = verified();
    t.ok(await daemon.useSecondFactor({ username: 'ann', code }));
    daemon.addSession({ session: session('ann', code), by });
    t.ok(daemon.session(code));
  }
});

t.test('a new password and its session replace all others at once', (t) => {
  const { daemon, verified } = signedIn();
  daemon.setPassword({ passwordHash: 'new', session: session('ann', 'next'), by: verified('s') });
  t.match(daemon.user('ann'), { passwordHash: 'new', mustChangePassword: false });
  t.equal(daemon.session('s'), null);
  t.ok(daemon.session('next'));
  t.end();
});
