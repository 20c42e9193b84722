import path from 'node:path';
import t from 'tap';
import { openStore } from '../../../daemon/store/store.ts';
import { createCredentials } from '../../../daemon/users/credentials.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';

const NOW = '2026-11-20T08:00:00.000Z';

t.test('a pairing is stored, published to watchers, and bound to this daemon', async (t) => {
  const file = path.join(temporaryFolder(t), 'gamekeeper.db');
  const request = {
    issuer: 'https://proxy.example',
    jwksUri: 'https://proxy.example/keys',
    ceiling: ['servers:read' as const],
    name: 'Basement',
  };
  const store = openStore(file);
  const { daemonId } = store.meta;
  const credentials = createCredentials(store, () => NOW);
  const events = credentials.watchCredentials(AbortSignal.timeout(120_000))[Symbol.asyncIterator]();
  t.equal(credentials.pairing(), null);
  const pairing = { ...request, audience: `urn:uuid:${daemonId}`, pairedAt: NOW };
  t.same(credentials.setPairing(request), pairing);
  t.same((await events.next()).value, { type: 'pairing-changed' });
  store[Symbol.dispose]();

  using reopened = openStore(file);
  const again = createCredentials(reopened, () => NOW);
  const later = again.watchCredentials(AbortSignal.timeout(120_000))[Symbol.asyncIterator]();
  t.same(again.pairing(), pairing);
  t.equal(reopened.meta.daemonId, daemonId, 'other single values are kept');
  again.setPairing({ ...request, issuer: 'https://other.example' });
  t.match(again.pairing(), { issuer: 'https://other.example' }, 'a new pairing replaces the old one');
  again.removePairing();
  again.removePairing();
  t.equal(again.pairing(), null);
  again.setPairing(request);
  for (let count = 0; count < 3; count++) t.same((await later.next()).value, { type: 'pairing-changed' });
});

t.test('the key pair is created once, and forgotten with the pairing', async (t) => {
  const file = path.join(temporaryFolder(t), 'gamekeeper.db');
  const store = openStore(file);
  const key = store.pairing.privateKey();
  t.match(key, /^-----BEGIN PRIVATE KEY-----/);
  store[Symbol.dispose]();
  using reopened = openStore(file);
  t.equal(reopened.pairing.privateKey(), key);
  reopened.pairing.remove();
  t.not(reopened.pairing.privateKey(), key);
});
