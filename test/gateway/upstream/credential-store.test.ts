import t from 'tap';
import type { Daemon } from '../../../gateway/upstream/clients.ts';
import { createCredentialStore } from '../../../gateway/upstream/credential-store.ts';

t.test("a change notifies its listeners before it resolves, even if the daemon's event is late", async (t) => {
  const done = async () => undefined;
  const calls = { setPassword: done, updateUser: done, removeUser: done, endSessionsOf: done, endSession: done };
  const call = {
    ...{ ...calls, revokeToken: done, confirmTotp: done, removeTotp: done },
    ...{ renewRecoveryCodes: done, removeRecoveryCodes: done },
    async *watchCredentials(_input: undefined, { signal }: { signal: AbortSignal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  };
  const store = createCredentialStore({ call } as unknown as Daemon, (error) => t.fail(String(error)));
  t.teardown(() => store.close());
  const told: unknown[] = [];
  store.onChange((event) => told.push(event));
  const ann = { type: 'user-changed', username: 'ann' };
  const by = { username: 'ann', version: 'v1' };
  const session = { tokenHash: 'hash', username: 'ann', expiresAt: '', absoluteExpiresAt: '' };
  const changes: [() => Promise<unknown>, object][] = [
    [() => store.setPassword({ passwordHash: 'h', session, by }), ann],
    [() => store.updateUser({ username: 'ann', change: { role: 'viewer' }, by: null }), ann],
    [() => store.removeUser('ann', null), ann],
    [() => store.endSessionsOf('ann'), ann],
    [() => store.confirmTotp({ code: '1', by }), ann],
    [() => store.removeTotp(by), ann],
    [() => store.renewRecoveryCodes(by), ann],
    [() => store.removeRecoveryCodes(by), ann],
    [() => store.endSession('hash'), { type: 'session-ended', tokenHash: 'hash' }],
    [() => store.revokeToken('one', null), { type: 'token-revoked', id: 'one' }],
  ];
  for (const [change, event] of changes) {
    await change();
    t.same(told.pop(), event);
  }
});
