import type { Test } from 'tap';
import type { Scope } from '../../../shared/domain/access/scope.ts';
import type { Link } from '../../../shared/schema/link.ts';
import { type Answer, requestJson } from '../http/request-json.ts';
import { until } from '../machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../processes/gamekeeper.ts';
import { linkToRelay } from './link-to-relay.ts';
import type { RelayProcess } from './relay-process.ts';

/** Longer than a daemon waits before it connects again. */
const RECONNECT_DEADLINE_MS = 90_000;

/** A running Gamekeeper that is linked to a relay. */
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
  const { relay, base, bearer } = await linkToRelay(t, gamekeeper.home);
  const headers = await bearer(scopes);
  const api: LinkedGamekeeper['api'] = (method, path, body) =>
    requestJson(method, new URL(`${base}${path}`), { body, headers });
  const describe = async () => {
    const cookie = await gamekeeper.login();
    return (await gamekeeper.api<Link>('GET', '/api/link', undefined, { cookie })).body;
  };
  const connected = async () => {
    const isLinked = async () => (await api('GET', '/instances')).status === 200;
    await until('the daemon is linked', isLinked, { deadlineMs: RECONNECT_DEADLINE_MS, describe });
  };
  await connected();
  return { gamekeeper, relay, base, headers, api, connected };
}
