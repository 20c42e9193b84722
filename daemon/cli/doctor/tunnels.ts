import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { parseGameAddress } from '../../../shared/domain/tunnel/game-address.ts';
import { findProgram } from '../../../shared/node/processes/find-program.ts';
import { isPublicAddress } from '../../../shared/node/public-address.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type {
  FrpTunnelSettings,
  PlayitTunnelSettings,
  SshTunnelSettings,
  StaticTunnelSettings,
  TunnelSettings,
} from '../../../shared/schema/tunnel.ts';
import { type Check, type Finding, ok, problem, warning } from './finding.ts';

const CHECK = 'Tunnels';
const CONNECT_WITHIN_MS = 10_000;
const PLAYIT = 'api.playit.gg';
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

type Of = Pick<InstanceConfig, 'id' | 'name'>;

/** Checks what each tunnel needs on this computer. */
export const checkTunnels: Check = async ({ stored, env }) => {
  const findings: Finding[] = [];
  for (const { id, name, tunnel } of stored?.instances ?? [])
    if (tunnel) findings.push(...(await checkTunnel({ id, name }, tunnel, { env, proxy: stored?.proxy })));
  return findings;
};

async function checkTunnel(
  of: Of,
  tunnel: TunnelSettings,
  { env, proxy }: { env: NodeJS.ProcessEnv; proxy: string | undefined },
): Promise<Finding[]> {
  switch (tunnel.provider) {
    case 'static':
      return [checkStatic(of, tunnel)];
    case 'ssh':
      return [checkSsh(of, tunnel, env)];
    case 'frp':
      return [await checkProgram(of, 'frpc', tunnel, env)];
    case 'playit':
      return [await checkProgram(of, 'playitd', tunnel, env), ...checkClaim(of, tunnel)];
    case 'relay':
      return [checkRelay(of, proxy)];
  }
}

function checkStatic({ id, name }: Of, { address = '', mapping }: StaticTunnelSettings): Finding {
  const { host = '' } = parseGameAddress(address) ?? {};
  if (isIP(host) !== 0 && !isPublicAddress(host))
    return warning(
      CHECK,
      `${name}: ${host} is an address of your own network, which friends on the internet cannot reach.`,
      `Set the public one with: npx gamekeeper tunnel ${id} set static <address>`,
    );
  return ok(CHECK, `${name}: ${mapping === 'auto' ? 'the router is asked to forward the port' : address}`);
}

function checkSsh(
  { id, name }: Of,
  { host, password, privateKey }: SshTunnelSettings,
  env: NodeJS.ProcessEnv,
): Finding {
  if (password !== undefined || privateKey !== undefined || env.SSH_AUTH_SOCK)
    return ok(CHECK, `${name}: SSH to ${host}`);
  return warning(
    CHECK,
    `${name} signs in to ${host} with an SSH agent, and none runs here.`,
    `Give it a key with: npx gamekeeper tunnel ${id} set ssh <user@host> --key <file>`,
  );
}

async function checkProgram(
  { id, name }: Of,
  program: string,
  { program: chosen, provider }: FrpTunnelSettings | PlayitTunnelSettings,
  { PATH: searchPath }: NodeJS.ProcessEnv,
): Promise<Finding> {
  const found = await findProgram(program, { chosen, searchPath });
  if (found !== undefined) return ok(CHECK, `${name}: ${found}`);
  return problem(
    CHECK,
    `${name} needs ${program}: ${chosen === undefined ? 'it is not on the PATH' : `${chosen} cannot be run`}.`,
    `Install it, or set its path with: npx gamekeeper tunnel ${id} set ${provider} ... --program <path>`,
  );
}

function checkClaim({ id, name }: Of, { secret }: PlayitTunnelSettings): Finding[] {
  if (secret !== undefined) return [];
  return [
    warning(
      CHECK,
      `${name} waits until you allow it at playit.gg.`,
      `Start it, and open the link that this shows: npx gamekeeper tunnel ${id}`,
    ),
  ];
}

function checkRelay({ name }: Of, proxy: string | undefined): Finding {
  if (proxy !== undefined) return ok(CHECK, `${name}: through ${proxy}`);
  return problem(
    CHECK,
    `${name} should be reached through a hosted proxy, but this computer is not linked to one.`,
    'Link it with: npx gamekeeper link <address>',
  );
}

/** Connects to the machines that tunnels lead to. */
export const checkTunnelServers: Check = async ({ stored }) => {
  const servers = (stored?.instances ?? []).flatMap(({ name, tunnel }) => {
    const server = tunnel && serverOf(tunnel, stored?.proxy);
    return server ? [{ name, ...server }] : [];
  });
  return Promise.all(
    servers.map(async ({ name, host, port }) => {
      const failure = await connectFailure(host, port);
      if (failure === undefined) return ok(CHECK, `${name}: ${host}, port ${port}, answers`);
      return problem(
        CHECK,
        `${name}: ${host}, port ${port}, cannot be reached: ${failure}.`,
        'Check the address and the port, that the machine is on, and its firewall.',
      );
    }),
  );
};

function serverOf(tunnel: TunnelSettings, proxy: string | undefined): { host: string; port: number } | undefined {
  if (tunnel.provider === 'ssh') return { host: tunnel.host, port: tunnel.port };
  if (tunnel.provider === 'frp') return { host: tunnel.serverAddr, port: tunnel.serverPort };
  if (tunnel.provider === 'playit') return { host: PLAYIT, port: HTTPS_PORT };
  if (tunnel.provider === 'relay' && proxy !== undefined) {
    const { protocol, hostname, port } = new URL(proxy);
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? HTTPS_PORT : HTTP_PORT),
    };
  }
  return undefined;
}

/** Resolves to the reason, or to `undefined` if it answers. */
async function connectFailure(host: string, port: number): Promise<string | undefined> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_WITHIN_MS) });
    return undefined;
  } catch (error) {
    const { name, message } = error as Error;
    return name === 'AbortError' ? 'no answer' : message;
  } finally {
    socket.destroy();
  }
}
