import { fastify } from 'fastify';
import { createLocalJWKSet, type JWK, jwtVerify } from 'jose';
import { createDaemonTokens } from '../../../gateway/proxy/daemons/daemon-token.ts';
import type { RegisteredDaemon } from '../../../gateway/proxy/daemons/directory.ts';
import { createClientAddresses } from '../../../gateway/proxy/http/client-addresses.ts';
import { createLinks, type Links } from '../../../gateway/proxy/links/links.ts';
import { createAccountLimits, type RelayLimits } from '../../../gateway/proxy/relay/account-limits.ts';
import { createLocalStreams } from '../../../gateway/proxy/relay/daemon-streams.ts';
import type { RelayOptions } from '../../../gateway/proxy/relay/relay.ts';
import { relayRoutes } from '../../../gateway/proxy/relay/relay-routes.ts';
import { createLogger } from '../../../shared/node/logger.ts';

export interface RelayServerOptions {
  port: number;
  daemons: readonly RegisteredDaemon[];
  /** The public keys of access tokens. */
  keys: readonly JWK[];
  limits?: RelayLimits | undefined;
  /** Milliseconds, for the limits of links. */
  now?: () => number;
  /** Milliseconds after which a silent link is given up. */
  silentMs?: number;
}

/** Links and relay of a hosted proxy, with daemons in memory. */
export interface RelayServer {
  issuer: string;
  links: Links;
  daemons: Map<string, RegisteredDaemon>;
  revoked: Set<string>;
  /** Text messages of daemons. */
  messages: Buffer[];
  close(): Promise<void>;
}

export async function startRelayServer({
  port,
  daemons,
  keys,
  limits,
  now = Date.now,
  silentMs,
}: RelayServerOptions): Promise<RelayServer> {
  const issuer = `http://127.0.0.1:${port}`;
  const registered = new Map(daemons.map((daemon) => [daemon.daemonId, { ...daemon }]));
  const directory = {
    find: async (daemonId: string) => registered.get(daemonId),
    isDisabled: async () => false,
    async seen(daemonId: string, at: Date) {
      const daemon = registered.get(daemonId);
      if (daemon) daemon.lastSeen = at;
      return daemon !== undefined;
    },
  };
  const revoked = new Set<string>();
  const addresses = createClientAddresses(() => false);
  const log = createLogger({ name: 'proxy', level: 'error' });
  const messages: Buffer[] = [];
  const links = createLinks({
    directory,
    tokens: createDaemonTokens({ directory, issuer, now: Date.now }),
    issuer,
    addresses,
    log,
    onMessage: (_daemonId, text) => messages.push(text),
    now,
    ...(silentMs !== undefined && { silentMs }),
  });
  const app = fastify();
  await app.register(
    relayRoutes({
      links,
      streams: createLocalStreams({ links, directory }),
      issuer,
      addresses,
      log,
      tokens: checkWith({ keys, issuer, revoked }),
      accounts: createAccountLimits(limits),
    }),
  );
  await app.listen({ host: '127.0.0.1', port });
  return {
    issuer,
    links,
    daemons: registered,
    revoked,
    messages,
    async close() {
      links.close();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

function checkWith({
  keys,
  issuer,
  revoked,
}: {
  keys: readonly JWK[];
  issuer: string;
  revoked: ReadonlySet<string>;
}): RelayOptions['tokens'] {
  const keySet = createLocalJWKSet({ keys: [...keys] });
  const known = new Set<string>();
  return {
    isKnown: (token) => known.has(token),
    async forDaemon(token, daemonId) {
      try {
        const { payload } = await jwtVerify(token, keySet, { issuer, audience: `urn:uuid:${daemonId}`, typ: 'at+jwt' });
        if (revoked.has(String(payload.grant_id ?? ''))) return undefined;
        known.add(token);
        return { accountId: payload.sub ?? '' };
      } catch {
        return undefined;
      }
    },
  };
}
