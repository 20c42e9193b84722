import { randomUUID } from 'node:crypto';
import { createAccounts } from '../../../gateway/proxy/accounts/accounts.ts';
import { createDaemons, type Daemons } from '../../../gateway/proxy/daemons/directory.ts';
import type { TestStore } from './proxy-store.ts';

export interface RegisteredDaemons {
  daemons: Daemons;
  accountId: string;
  /** Registers a daemon of the account. Resolves to its id. */
  register(name: string): Promise<string>;
}

/** An account in the database, for its daemons. */
export async function registeredDaemons(
  { database, now }: Pick<TestStore, 'database' | 'now'>,
  account = 'anna',
): Promise<RegisteredDaemons> {
  const daemons = createDaemons(database, now);
  const { id: accountId } = await createAccounts(database, now).add({
    name: account,
    passwordHash: '',
    isAdmin: false,
  });
  return {
    daemons,
    accountId,
    async register(name) {
      const daemonId = randomUUID();
      const publicKey = { kty: 'OKP', crv: 'Ed25519', x: daemonId };
      await daemons.register({ daemonId, accountId, name, publicKey, scopes: ['servers:read'] });
      return daemonId;
    },
  };
}
