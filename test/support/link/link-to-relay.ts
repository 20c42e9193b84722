import { createPrivateKey, createPublicKey } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { exportJWK, type JWK } from 'jose';
import type { Test } from 'tap';
import { connectDaemon } from '../../../gateway/upstream/clients.ts';
import type { Scope } from '../../../shared/domain/access/scope.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import { freePort } from '../machine/free-port.ts';
import { testProxy } from '../stand-ins/test-proxy.ts';
import { type RelayProcess, startRelayProcess } from './relay-process.ts';

/** A relay in a process of its own, to which a running daemon is linked. */
export interface RelayOfDaemon {
  relay: RelayProcess;
  /** Address of the daemon at the relay, without a slash at the end. */
  base: string;
  /** Resolves to the authorization header of an access token. */
  bearer(scopes: readonly Scope[]): Promise<{ authorization: string }>;
}

/** Links the daemon with this data directory as the device flow would do it. Does not wait for the connection. */
export async function linkToRelay(t: Pick<Test, 'teardown'>, home: string): Promise<RelayOfDaemon> {
  const proxy = await testProxy(t);
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const daemon = connectDaemon(homeAt(home).daemonSocket);
  const { daemonId } = await daemon.call.info();
  await daemon.call.setPairing({ ...proxy.pairing, issuer });
  await daemon.call.linkToken(); // The first one creates the key.
  const publicKey = await publicKeyIn(homeAt(home).database);
  const relay = await startRelayProcess(t, {
    port,
    keys: proxy.keys,
    daemons: [{ daemonId, accountId: 'account-1', name: 'Home PC', publicKey }],
  });
  // The first attempt has failed. Another proxy is tried at once.
  await daemon.call.setPairing({ ...proxy.pairing, issuer: `${issuer}/elsewhere` });
  await daemon.call.setPairing({ ...proxy.pairing, issuer });
  daemon.close();
  return {
    relay,
    base: `${issuer}/d/${daemonId}`,
    bearer: async (scopes) => {
      const claims = { iss: issuer, aud: `urn:uuid:${daemonId}`, grant_id: 'grant-1' };
      return { authorization: `Bearer ${await proxy.token({ scopes, claims })}` };
    },
  };
}

export async function publicKeyIn(file: string): Promise<JWK> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const row = database.prepare("SELECT value FROM meta WHERE key = 'linkKey'").get();
    return await exportJWK(createPublicKey(createPrivateKey(String(row?.value))));
  } finally {
    database.close();
  }
}
