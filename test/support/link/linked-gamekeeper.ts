import { createPrivateKey, createPublicKey } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { exportJWK, type JWK } from 'jose';
import type { Test } from 'tap';
import { connectDaemon } from '../../../gateway/upstream/clients.ts';
import type { Scope } from '../../../shared/domain/access/scope.ts';
import { homeAt } from '../../../shared/node/files/home.ts';
import type { Link } from '../../../shared/schema/link.ts';
import { type Answer, requestJson } from '../http/request-json.ts';
import { freePort } from '../machine/free-port.ts';
import { until } from '../machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../processes/gamekeeper.ts';
import { testProxy } from '../stand-ins/test-proxy.ts';
import { type RelayProcess, startRelayProcess } from './relay-process.ts';

/** Longer than a daemon waits before it connects again. */
const RECONNECT_DEADLINE_MS = 90_000;

/** A running Gamekeeper that is linked to a relay in a process of its own. */
export interface LinkedGamekeeper {
  gamekeeper: Gamekeeper;
  relay: RelayProcess;
  /** Address of the daemon at the relay, without a slash at the end. */
  base: string;
  headers: { authorization: string };
  /** Sends a request through the relay. */
  api<T = unknown>(method: string, path: string, body?: object): Promise<Answer<T>>;
  /** Waits until requests reach the daemon. */
  connected(): Promise<void>;
}

export async function linkedGamekeeper(t: Test, scopes: readonly Scope[]): Promise<LinkedGamekeeper> {
  const gamekeeper = await startGamekeeper(t);
  const proxy = await testProxy(t);
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const daemon = connectDaemon(homeAt(gamekeeper.home).daemonSocket);
  const { daemonId } = await daemon.call.info();
  // As the device flow would do it; the first token creates the key.
  await daemon.call.setPairing({ ...proxy.pairing, issuer });
  await daemon.call.linkToken();
  const publicKey = await publicKeyIn(homeAt(gamekeeper.home).database);
  const relay = await startRelayProcess(t, {
    port,
    keys: proxy.keys,
    daemons: [{ daemonId, accountId: 'account-1', name: 'Home PC', publicKey }],
  });
  // The first attempt has failed; a change of the proxy is followed at once.
  await daemon.call.setPairing({ ...proxy.pairing, issuer: `${issuer}/elsewhere` });
  await daemon.call.setPairing({ ...proxy.pairing, issuer });
  daemon.close();

  const claims = { iss: issuer, aud: `urn:uuid:${daemonId}`, grant_id: 'grant-1' };
  const headers = { authorization: `Bearer ${await proxy.token({ scopes, claims })}` };
  const base = `${issuer}/d/${daemonId}`;
  const linked: LinkedGamekeeper = {
    gamekeeper,
    relay,
    base,
    headers,
    api: (method, path, body) => requestJson(method, new URL(`${base}${path}`), { body, headers }),
    async connected() {
      await until('the daemon is linked', async () => (await linked.api('GET', '/instances')).status === 200, {
        deadlineMs: RECONNECT_DEADLINE_MS,
        describe: async () => (await gamekeeper.api<Link>('GET', '/api/link', undefined, await admin())).body,
      });
    },
  };
  const admin = async () => ({ cookie: await gamekeeper.login() });
  await linked.connected();
  return linked;
}

async function publicKeyIn(file: string): Promise<JWK> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const row = database.prepare("SELECT value FROM meta WHERE key = 'linkKey'").get();
    return await exportJWK(createPublicKey(createPrivateKey(String(row?.value))));
  } finally {
    database.close();
  }
}
