import { isLoopback } from '../../../shared/node/loopback.ts';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';

const LARGEST_PORT = 65_535;
const SUFFIX = /^(?=.{3,190}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const MEGABIT_BYTES = 125_000;
const GIGABYTE = 1_000_000_000;

/** What one account may use of an edge. */
export interface EdgeLimits {
  /** Servers with an address. */
  tunnels: number;
  /** Connected at a time. */
  players: number;
  bytesPerSecond: number;
  /** To and from players, in a month (UTC). */
  bytesPerMonth: number;
}

export interface EdgeConfig {
  /** Of the names of servers: `friends` gets `friends.<suffix>`. */
  suffix: string;
  /** Where tunnel processes reach this process; absent: the proxy's own address. */
  url: string | undefined;
  /** Address to listen on for players; absent: all. */
  host: string | undefined;
  /** For players of Java Edition. 0: any free port. */
  port: number;
  /** What players type, if it is another one: that of a load balancer. */
  publicPort: number | undefined;
  /** For players of Bedrock Edition, one port for each server. */
  udpPorts: { first: number; last: number };
  limits: EdgeLimits;
  /** Connections of one address to one server. */
  perAddress: number;
  /** Players come through a load balancer, which tells their addresses by the PROXY protocol. */
  behindBalancer: boolean;
}

/** Reads the settings of `gamekeeper proxy --edge`. Throws StartupError (exit status 2) with the name of a variable that is missing or wrong. */
export function readEdgeConfig(env: NodeJS.ProcessEnv): EdgeConfig {
  const number = (name: string, byDefault: number) => numberIn(env, `GAMEKEEPER_PROXY_EDGE_${name}`, byDefault);
  return {
    suffix: suffixOf(env.GAMEKEEPER_PROXY_EDGE_NAME),
    url: env.GAMEKEEPER_PROXY_EDGE_URL ? urlOf(env.GAMEKEEPER_PROXY_EDGE_URL) : undefined,
    host: env.GAMEKEEPER_PROXY_EDGE_HOST || undefined,
    port: portOf(env, 'GAMEKEEPER_PROXY_EDGE_PORT', 25_565),
    publicPort: portOf(env, 'GAMEKEEPER_PROXY_EDGE_PUBLIC_PORT', 0) || undefined,
    udpPorts: rangeOf(env.GAMEKEEPER_PROXY_EDGE_UDP_PORTS || '19132-19231'),
    limits: {
      tunnels: number('TUNNELS', 10),
      players: number('PLAYERS', 100),
      bytesPerSecond: number('MBIT', 50) * MEGABIT_BYTES,
      bytesPerMonth: number('GB_PER_MONTH', 500) * GIGABYTE,
    },
    perAddress: number('PER_ADDRESS', 20),
    behindBalancer: switchIn(env, 'GAMEKEEPER_PROXY_EDGE_PROXY_PROTOCOL'),
  };
}

function suffixOf(text: string | undefined): string {
  const suffix = text?.toLowerCase() ?? '';
  if (SUFFIX.test(suffix)) return suffix;
  throw wrong('GAMEKEEPER_PROXY_EDGE_NAME', 'must be the name that all servers are under, such as play.example.net');
}

function urlOf(text: string): string {
  const url = URL.parse(text);
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSecure || url.origin !== text.replace(/\/$/, '').toLowerCase())
    throw wrong(
      'GAMEKEEPER_PROXY_EDGE_URL',
      'must be an https URL without a path (http only on this machine), such as https://edge.example.net',
    );
  return url.origin;
}

function numberIn(env: NodeJS.ProcessEnv, variable: string, byDefault: number): number {
  const text = env[variable];
  if (!text) return byDefault;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw wrong(variable, `is "${text}", but must be a number from 1 to 9999999`);
  return Number(text);
}

function switchIn(env: NodeJS.ProcessEnv, variable: string): boolean {
  const text = env[variable] || 'no';
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw wrong(variable, `is "${text}", but must be yes or no`);
}

function portOf(env: NodeJS.ProcessEnv, variable: string, byDefault: number): number {
  const text = env[variable];
  if (!text) return byDefault;
  if (!/^\d{1,5}$/.test(text) || Number(text) > LARGEST_PORT)
    throw wrong(variable, `is "${text}", but must be a port from 0 to ${LARGEST_PORT} (0: any free port)`);
  return Number(text);
}

function rangeOf(text: string): EdgeConfig['udpPorts'] {
  const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (range.first >= 1 && range.last >= range.first && range.last <= LARGEST_PORT) return range;
  throw wrong('GAMEKEEPER_PROXY_EDGE_UDP_PORTS', `is "${text}", but must be two ports, such as 19132-19231`);
}

function wrong(variable: string, problem: string): StartupError {
  return new StartupError(`${variable} ${problem}.`, { exitCode: EXIT.usage });
}
