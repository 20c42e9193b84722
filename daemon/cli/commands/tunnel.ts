import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { parseGameAddress } from '../../../shared/domain/tunnel/game-address.ts';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import type { OutsideTest } from '../../../shared/schema/outside-ping.ts';
import type { TunnelResponse, TunnelSettingsDocument } from '../../../shared/schema/tunnel.ts';
import { Failure } from '../api/failure.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';

const PROVIDERS = ['static', 'ssh', 'frp', 'playit', 'relay'] as const;

interface TunnelOptions {
  key?: string;
  passwordStdin?: boolean;
  remotePort?: number;
  bind?: string;
  hostKey?: string;
  map?: boolean;
  program?: string;
  proxyProtocol?: boolean;
  outside?: boolean;
}

interface Arguments {
  action: 'status' | 'test' | 'off' | 'set';
  provider: (typeof PROVIDERS)[number] | undefined;
  address: string | undefined;
}

export function addTunnel(program: Command): void {
  withCommonOptions(program.command('tunnel'))
    .description('Give a server an address that friends on the internet can use')
    .argument('<id>', 'Id of the server')
    .addArgument(
      new Argument('[action]', 'What to do').choices(['status', 'set', 'test', 'off']).default('status', 'status'),
    )
    .addArgument(new Argument('[provider]', 'For set: how players get here').choices(PROVIDERS))
    .argument(
      '[address]',
      'For set static: what players type. For set ssh: user@host or user@host:port. For set frp: host or host:port. For set relay: a name at the proxy (optional)',
    )
    .option('--map', 'static: ask the router to forward the port (PCP, NAT-PMP, UPnP); the address may be left out')
    .option('--key <file>', 'ssh: private key to sign in with (default: the SSH agent)')
    .option(
      '--password-stdin',
      'Read the secret from standard input. ssh: the password, or the passphrase of the key. frp: the token. playit: the key of an agent',
    )
    .option('--remote-port <port>', 'ssh, frp: port on that machine (default: any free one)', parsePort)
    .option('--bind <address>', 'ssh: address on that machine to listen on (default: all)')
    .option(
      '--host-key <fingerprint>',
      'ssh: its host key, such as SHA256:... (default: the one of the first connection)',
    )
    .option('--outside', 'test: have the hosted proxy connect to the address, as a friend would')
    .option('--program <path>', 'frp, playit: path of frpc or playitd (default: the one on the PATH)')
    .option('--proxy-protocol', "relay: tell the server each player's own address (PROXY protocol v2)")
    .action(
      async (
        id: string,
        action: Arguments['action'],
        provider: Arguments['provider'],
        address: string | undefined,
        options: TunnelOptions,
        command: Command,
      ) => run(sessionOf(command), id, { action, provider, address, options }),
    );
}

async function run(
  { api, answer }: Session,
  id: string,
  { action, provider, address, options }: Arguments & { options: TunnelOptions },
): Promise<void> {
  const path = `/instances/${encodeURIComponent(id)}/tunnel`;
  if (action === 'status') return answer((await api.request<TunnelResponse>('GET', path)).body, statusText);
  if (action === 'test' && options.outside)
    return answer((await api.request<OutsideTest>('POST', `${path}/test/outside`)).body, outsideText);
  if (action === 'test') return answer((await api.request<TunnelResponse>('POST', `${path}/test`)).body, statusText);
  const body = action === 'off' ? { provider: null } : await settingsOf(provider, address, options);
  const { body: stored } = await api.request<TunnelSettingsDocument>('PUT', `${path}/settings`, { body });
  answer(stored, ({ provider: now }) =>
    now === null
      ? 'The tunnel is off.'
      : `The tunnel is set up. It turns on when the server starts. See it with: npx gamekeeper tunnel ${id}`,
  );
}

async function settingsOf(
  provider: Arguments['provider'],
  address: string | undefined,
  options: TunnelOptions,
): Promise<object> {
  const secret = options.passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined;
  const { map, program, remotePort } = options;
  switch (provider) {
    case 'static':
      if (address === undefined && !map) break;
      return { provider, ...(address !== undefined && { address }), ...(map && { mapping: 'auto' }) };
    case 'ssh':
      if (address === undefined) break;
      return { provider, ...sshAccount(address), ...(await sshOptions(options, secret)) };
    case 'frp':
      if (address === undefined) break;
      return {
        provider,
        ...frpServer(address),
        ...(secret !== undefined && { token: secret }),
        ...(remotePort !== undefined && { remotePort }),
        ...(program !== undefined && { program }),
      };
    case 'relay':
      return {
        provider,
        ...(address !== undefined && { hostname: address }),
        ...(options.proxyProtocol && { proxyProtocol: true }),
      };
    case 'playit':
      return { provider, ...(secret !== undefined && { secret }), ...(program !== undefined && { program }) };
  }
  throw new Failure(
    'Give a provider and an address, such as: set static play.example.net, set static --map, set ssh anna@203.0.113.7, set frp frp.example.net, set playit, or: set relay friends',
    { exitCode: EXIT.usage },
  );
}

async function sshOptions(
  { key, remotePort, bind, hostKey }: TunnelOptions,
  secret: string | undefined,
): Promise<object> {
  return {
    ...(key !== undefined && { privateKey: await readKey(key) }),
    ...(secret !== undefined && (key === undefined ? { password: secret } : { passphrase: secret })),
    ...(remotePort !== undefined && { remotePort }),
    ...(bind !== undefined && { bindAddress: bind }),
    ...(hostKey !== undefined && { hostKey }),
  };
}

/** Reads `frp.example.net` or `frp.example.net:7000`. */
function frpServer(address: string): { serverAddr: string; serverPort?: number } {
  const server = parseGameAddress(address);
  if (!server)
    throw new Failure(`"${address}" must be a host, such as frp.example.net or frp.example.net:7000.`, {
      exitCode: EXIT.usage,
    });
  return { serverAddr: server.host, ...(server.port !== undefined && { serverPort: server.port }) };
}

/** Reads `anna@203.0.113.7` or `anna@example.net:2222`. */
function sshAccount(address: string): { username: string; host: string; port?: number } {
  const at = address.lastIndexOf('@');
  const server = parseGameAddress(address.slice(at + 1));
  if (at < 1 || !server)
    throw new Failure(`"${address}" must be a user and a host, such as anna@203.0.113.7 or anna@example.net:2222.`, {
      exitCode: EXIT.usage,
    });
  return { username: address.slice(0, at), ...server };
}

async function readKey(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new Failure(`Cannot read the key ${file}: ${(cause as Error).message}`, { cause });
  }
}

function statusText(status: TunnelResponse): string {
  const { state, provider, tunnelAddress, numericAddress, pingMs, hostKey, claimUrl, error } = status;
  if (provider === undefined)
    return 'There is no tunnel. Players on your network can join anyway. Set one up with: npx gamekeeper tunnel <id> set';
  const rows = [
    ['State', state ?? 'off'],
    ['Provider', provider],
    ['Address', tunnelAddress],
    ['Leads to', numericAddress],
    ['Ping', pingMs < 0 ? '' : `${pingMs} ms`],
    ['Host key', hostKey ?? ''],
    ['To do', claimUrl === undefined ? '' : `Open ${claimUrl} and allow this server`],
    ['Problem', error ?? ''],
  ].filter(([, value]) => value !== '');
  return rows.map(([label = '', value]) => `${label.padEnd(9)} ${value}`).join('\n');
}

function outsideText({
  reachable,
  address,
  from,
  pingMs,
  version,
  playersOnline,
  maxPlayers,
  error,
}: OutsideTest): string {
  if (!reachable) return `Friends cannot reach ${address}. ${error}`;
  return `Friends can reach ${address}: ${version}, ${playersOnline} of ${maxPlayers} players, ${pingMs} ms from ${from}.`;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}
