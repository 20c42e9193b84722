import path from 'node:path';
import { defaultHome } from '../../../shared/node/files/home.ts';
import { isLoopback } from '../../../shared/node/loopback.ts';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import {
  type ProviderConfig,
  readProviders,
  readSignUpPolicy,
  type SignUpPolicy,
} from '../accounts/providers/provider-config.ts';
import { type EdgeConfig, readEdgeConfig } from '../edge/edge-config.ts';
import { type IsTrustedProxy, trustedProxies } from '../http/trusted-proxies.ts';
import type { MetricsAddress } from '../metrics/serve-metrics.ts';
import { readDaemonDomain } from '../panel/domain-config.ts';
import type { PeerAddress } from '../replicas/peer-address.ts';

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 25590;
const LARGEST_PORT = 65_535;
/** As many characters as 256 random bits have in base64. */
const SHORTEST_SECRET = 43;

/** Every path in the proxy's data directory (docs/proxy.md). */
export interface ProxyHome {
  root: string;
  run: string;
  /** The embedded database, if there is no PostgreSQL. */
  database: string;
  /** The key that encrypts what the database must not reveal. */
  keyFile: string;
  /** `run/proxy.json`, which exists while the proxy is ready. */
  record: string;
  lock: string;
}

export interface ProxyConfig {
  home: ProxyHome;
  host: string;
  /** 0: any free port. */
  port: number;
  /** Other workers listen on it as well. */
  sharesPort: boolean;
  /** The address that browsers, programs and daemons use, without a trailing slash. Absent: the one that the proxy listens on. */
  publicUrl: string | undefined;
  /** Absent: the embedded database. */
  databaseUrl: string | undefined;
  /** Used instead of the key file, so that several proxies can share a database. */
  secret: string | undefined;
  /** Alerts may go to addresses that only the proxy's own network has, and by http. */
  privateWebhooks: boolean;
  /** Services at which people can sign in instead. */
  providers: ProviderConfig[];
  signUp: SignUpPolicy;
  /** Who may name the client in `X-Forwarded-For`. */
  isTrustedProxy: IsTrustedProxy;
  /** For other proxies on the same database. */
  peer: PeerAddress;
  /** Players connect to this process. */
  edge: EdgeConfig | undefined;
  /** Absent: no metrics. */
  metrics: MetricsAddress | undefined;
  /** Below it, each daemon has a host for its panel. Absent: there are no panels. */
  daemonDomain: string | undefined;
}

/** Reads the environment. `home` is the option `--home`, `edge` the option `--edge`. Throws StartupError (exit status 2) with the name of a variable that is wrong. */
export function readConfig(env: NodeJS.ProcessEnv, home?: string, edge = false): ProxyConfig {
  return {
    home: proxyHomeAt(
      path.resolve(home ?? (env.GAMEKEEPER_PROXY_HOME || `${defaultHome({ ...env, GAMEKEEPER_HOME: '' })}-proxy`)),
    ),
    host: env.GAMEKEEPER_PROXY_HOST || DEFAULT_HOST,
    port: portOf('GAMEKEEPER_PROXY_PORT', env.GAMEKEEPER_PROXY_PORT, DEFAULT_PORT),
    sharesPort: false,
    publicUrl: env.GAMEKEEPER_PROXY_URL ? issuerOf(env.GAMEKEEPER_PROXY_URL) : undefined,
    databaseUrl: env.DATABASE_URL ? databaseOf(env.DATABASE_URL) : undefined,
    secret: env.GAMEKEEPER_PROXY_SECRET ? secretOf(env.GAMEKEEPER_PROXY_SECRET) : undefined,
    privateWebhooks: switchOf(env, 'GAMEKEEPER_PROXY_PRIVATE_WEBHOOKS'),
    providers: readProviders(env),
    signUp: readSignUpPolicy(env),
    isTrustedProxy: trustedIn(env),
    peer: {
      host: env.GAMEKEEPER_PROXY_PEER_HOST || DEFAULT_HOST,
      port: portOf('GAMEKEEPER_PROXY_PEER_PORT', env.GAMEKEEPER_PROXY_PEER_PORT, 0),
      url: env.GAMEKEEPER_PROXY_PEER_URL ? peerOf(env.GAMEKEEPER_PROXY_PEER_URL) : undefined,
    },
    edge: edge || switchOf(env, 'GAMEKEEPER_PROXY_EDGE') ? readEdgeConfig(env) : undefined,
    metrics: env.GAMEKEEPER_PROXY_METRICS_PORT
      ? {
          host: env.GAMEKEEPER_PROXY_METRICS_HOST || DEFAULT_HOST,
          port: portOf('GAMEKEEPER_PROXY_METRICS_PORT', env.GAMEKEEPER_PROXY_METRICS_PORT, 0),
        }
      : undefined,
    daemonDomain: readDaemonDomain(env),
  };
}

function proxyHomeAt(root: string): ProxyHome {
  const run = path.join(root, 'run');
  return {
    root,
    run,
    database: path.join(root, 'proxy.db'),
    keyFile: path.join(root, 'proxy.key'),
    record: path.join(run, 'proxy.json'),
    lock: path.join(run, 'proxy.lock'),
  };
}

function portOf(variable: string, text: string | undefined, byDefault: number): number {
  if (!text) return byDefault;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > LARGEST_PORT)
    throw wrong(variable, `is "${text}", but must be a port from 0 to ${LARGEST_PORT} (0: any free port)`);
  return port;
}

function peerOf(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' || url.origin !== text.replace(/\/$/, '').toLowerCase())
    throw wrong('GAMEKEEPER_PROXY_PEER_URL', 'must be an http URL without a path, such as http://10.0.0.5:25591');
  return url.origin;
}

function issuerOf(text: string): string {
  const url = URL.parse(text);
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSecure) throw wrong('GAMEKEEPER_PROXY_URL', 'must be an https URL (http only on this machine)');
  if (url.origin !== text.replace(/\/$/, '').toLowerCase())
    throw wrong(
      'GAMEKEEPER_PROXY_URL',
      `must be only the address, such as ${url.origin}, without a path or anything else`,
    );
  return url.origin;
}

function databaseOf(text: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol !== 'postgres:' && protocol !== 'postgresql:')
    throw wrong('DATABASE_URL', 'must be a PostgreSQL URL, such as postgres://user:password@host/database');
  return text;
}

function switchOf(env: NodeJS.ProcessEnv, variable: string): boolean {
  const text = env[variable] || 'no';
  if (text !== 'yes' && text !== 'no') throw wrong(variable, `is "${text}", but must be yes or no`);
  return text === 'yes';
}

/** Without a public address there is no reverse proxy. */
function trustedIn(env: NodeJS.ProcessEnv): IsTrustedProxy {
  if (!env.GAMEKEEPER_PROXY_URL) return () => false;
  const { GAMEKEEPER_PROXY_TRUSTED: text } = env;
  if (!text) return isLoopback;
  const trusted = trustedProxies(text);
  if (trusted) return trusted;
  throw wrong(
    'GAMEKEEPER_PROXY_TRUSTED',
    `is "${text}", but must be the addresses or subnets of reverse proxies, such as 10.0.0.5, 10.88.0.0/16`,
  );
}

function secretOf(text: string): string {
  if (text.length < SHORTEST_SECRET)
    throw wrong(
      'GAMEKEEPER_PROXY_SECRET',
      `must have at least ${SHORTEST_SECRET} random characters. Make one with: openssl rand -base64 32`,
    );
  return text;
}

function wrong(variable: string, problem: string): StartupError {
  return new StartupError(`${variable} ${problem}.`, { exitCode: EXIT.usage });
}
