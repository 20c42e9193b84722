import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { freePort } from '../machine/free-port.ts';
import { type StallingRelay, startStallingRelay } from '../machine/stalling-relay.ts';
import { type OauthWorld, oauthWorld } from './oauth-world.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { type RunningProxy, startProxy } from './proxy-process.ts';

export interface Replica {
  /** Its own address. The issuer is that of the first one, for both. */
  address: string;
  proxy: RunningProxy;
}

export interface TwoReplicas {
  /** Its browser and its program use the first one. */
  world: OauthWorld;
  replicas: readonly [Replica, Replica];
  postgres: Postgres;
  databaseUrl: string;
  secret: string;
  /** What the replicas reach each other over. */
  between: { cut(): void; mend(): void };
}

/** Starts two proxies on one PostgreSQL database until the end of the test. Resolves to `undefined` if PostgreSQL is not installed. */
export async function twoReplicas(t: Test, env: Record<string, string> = {}): Promise<TwoReplicas | undefined> {
  const postgres = await startPostgres(t);
  if (!postgres) return undefined;
  const [databaseUrl, secret] = [await postgres.database(), randomBytes(32).toString('base64')];
  const ports = [await freePort(), await freePort()];
  const [first = '', second = ''] = ports.map((port) => `http://127.0.0.1:${port}`);
  const settings = { ...env, DATABASE_URL: databaseUrl, GAMEKEEPER_PROXY_SECRET: secret, GAMEKEEPER_PROXY_URL: first };
  const peers = [await startPeerRelay(t), await startPeerRelay(t)] as const;
  const world = await oauthWorld(t, { ...settings, ...peers[0].env, GAMEKEEPER_PROXY_PORT: String(ports[0]) });
  const other = await startProxy(t, { ...settings, ...peers[1].env, GAMEKEEPER_PROXY_PORT: String(ports[1]) });
  return {
    world,
    replicas: [
      { address: first, proxy: world.proxy },
      { address: second, proxy: other },
    ],
    postgres,
    databaseUrl,
    secret,
    between: {
      cut() {
        for (const { relay } of peers) relay.stall({ alsoNew: true });
      },
      mend() {
        for (const { relay } of peers) relay.resume();
      },
    },
  };
}

/** A relay in front of the port for other replicas, and the settings of its replica. */
async function startPeerRelay(t: Test): Promise<{ relay: StallingRelay; env: Record<string, string> }> {
  const to = await freePort();
  const relay = await startStallingRelay(t, { to });
  const env = {
    GAMEKEEPER_PROXY_PEER_PORT: String(to),
    GAMEKEEPER_PROXY_PEER_URL: `http://127.0.0.1:${relay.port}`,
  };
  return { relay, env };
}
