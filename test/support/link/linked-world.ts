import type { Test } from 'tap';
import type { LinkTarget, LinkTiming } from '../../../gateway/link/link.ts';
import { type GatewayLink, startLink } from '../../../gateway/link/start-link.ts';
import type { RelayLimits } from '../../../gateway/proxy/relay/account-limits.ts';
import type { Scope } from '../../../shared/domain/access/scope.ts';
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
  link: GatewayLink;
  /** The pairing's proxy; the test may change it. */
  target: LatestValue<LinkTarget | null>;
  key: DaemonKey;
  daemonId: string;
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
  const target = new LatestValue<LinkTarget | null>({ issuer, daemonId: DAEMON_ID });
  const link = startLink(
    world.gateway,
    {
      watchLink: (signal) => target.follow(signal),
      linkToken: () => linkToken(key, issuer),
      endGrant: async () => undefined,
      askAboutGrants: async () => undefined,
    },
    timing,
  );
  t.teardown(async () => {
    await Promise.all([link.close(), relay.close()]);
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
