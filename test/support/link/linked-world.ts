import type { Test } from 'tap';
import { createLink, type Link, type LinkTarget, type LinkTiming } from '../../../gateway/link/link.ts';
import { createLinkedApp } from '../../../gateway/link/serve-linked.ts';
import type { RelayLimits } from '../../../gateway/proxy/relay/account-limits.ts';
import type { Scope } from '../../../shared/domain/access/scope.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { LatestValue } from '../../../shared/node/primitives/latest-value.ts';
import { freePort } from '../machine/free-port.ts';
import { until } from '../machine/until.ts';
import { build, type World } from '../processes/gateway-app.ts';
import { DAEMON_ID } from '../stand-ins/stand-in-daemon.ts';
import { testProxy } from '../stand-ins/test-proxy.ts';
import { createDaemonKey, type DaemonKey, linkToken } from './daemon-key.ts';
import { type RelayServer, startRelayServer } from './relay-server.ts';

/** A gateway with stand-ins that is linked to a relay. */
export interface LinkedWorld {
  world: World;
  relay: RelayServer;
  link: Link;
  /** The pairing's proxy; the test may change it. */
  target: LatestValue<LinkTarget | null>;
  key: DaemonKey;
  daemonId: string;
  /** Ids of the grants that the proxy reported as revoked. */
  revokedGrants: string[];
  /** Address of the daemon at the proxy, without a slash at the end. */
  base: string;
  /** Resolves to the authorization header of a token of the proxy. */
  bearer(scopes: readonly Scope[], claims?: Record<string, unknown>): Promise<{ authorization: string }>;
  connected(): Promise<void>;
  /** Closes the relay, and starts another at the same address. */
  restartRelay(): Promise<RelayServer>;
}

export interface LinkedWorldOptions {
  settings?: object;
  limits?: RelayLimits;
  timing?: LinkTiming;
}

export async function linkedWorld(
  t: Test,
  { settings, limits, timing = { delayShare: 0 } }: LinkedWorldOptions = {},
): Promise<LinkedWorld> {
  const world = await build(t, settings ? { settings } : {});
  const key = await createDaemonKey(DAEMON_ID);
  const proxy = await testProxy(t);
  const port = await freePort();
  const start = () =>
    startRelayServer({
      port,
      keys: proxy.keys,
      limits,
      daemons: [{ daemonId: DAEMON_ID, accountId: 'account-1', name: 'Home PC', publicKey: key.publicKey }],
    });
  let relay = await start();
  const { issuer } = relay;
  world.daemon.setPairing({ ...proxy.pairing, issuer });
  const app = await createLinkedApp(world.gateway);
  const target = new LatestValue<LinkTarget | null>({ issuer, daemonId: DAEMON_ID });
  const revokedGrants: string[] = [];
  const link = createLink({
    credentials: { watchLink: (signal) => target.follow(signal), linkToken: () => linkToken(key, issuer) },
    serve: app.serve,
    onGrantRevoked: (grantId) => void revokedGrants.push(grantId),
    log: createLogger({ name: 'gateway', level: 'silent' }),
    timing,
  });
  t.teardown(async () => {
    link.close();
    await relay.close();
    await app.close();
  });
  const connected = async () => {
    await until('the link is open', () => link.status.state === 'connected' && relay.links.count === 1, {
      describe: () => link.status,
    });
  };
  await connected();
  return {
    world,
    get relay() {
      return relay;
    },
    link,
    target,
    key,
    daemonId: DAEMON_ID,
    revokedGrants,
    base: `${issuer}/d/${DAEMON_ID}`,
    bearer: async (scopes, claims) => ({
      authorization: `Bearer ${await proxy.token({ scopes, claims: { iss: issuer, grant_id: 'grant-1', ...claims } })}`,
    }),
    connected,
    async restartRelay() {
      await relay.close();
      relay = await start();
      return relay;
    },
  };
}
