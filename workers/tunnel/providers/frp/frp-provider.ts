import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { TunnelTarget } from '../../../../shared/contract/tunnel.ts';
import { showUnprintable } from '../../../../shared/domain/console/invisible-characters.ts';
import type { FrpTunnelSettings } from '../../../../shared/schema/tunnel.ts';
import { requiredProgram } from '../../program/required-program.ts';
import { startProgram, type TetheredProgram } from '../../program/tethered-program.ts';
import { type OpenTunnel, type Provider, TunnelError } from '../provider.ts';
import { transportOf } from '../transport.ts';
import { type FrpAdmin, frpConfig } from './frp-config.ts';
import { untilFrpLost } from './frp-loss.ts';
import { type FrpProxyStatus, portIn, readStatus } from './frp-status.ts';

/** From the start of frpc to an open port. Milliseconds. */
const OPEN_WITHIN_MS = 20_000;
const OPENING_LOOK_MS = 250;
const MOST_WORDS = 300;

/** A port on a server that runs frps, through frpc as a child process. */
export function createFrpProvider(settings: FrpTunnelSettings, { folder }: { folder: string }): Provider {
  const { serverAddr, serverPort, token } = settings;
  const secrets = token === undefined ? [] : [token];

  async function open(current: () => TunnelTarget, signal: AbortSignal): Promise<OpenTunnel> {
    const program = await requiredProgram('frpc', settings.program);
    const target = current();
    const proxy = { name: `gamekeeper-${randomBytes(6).toString('hex')}`, transport: transportOf(target) };
    const admin = { port: await freePort(), user: 'gamekeeper', password: randomBytes(18).toString('base64url') };
    const config = await writeConfig(proxy.name, target, admin);
    await verify(program, config);
    signal.throwIfAborted();
    const frpc = await startProgram(program, ['-c', config], { secrets: [...secrets, admin.password] });
    const close = async () => {
      await frpc.end();
      await rm(folder, { recursive: true, force: true });
    };
    try {
      const port = await untilOpen(frpc, { admin, proxy, signal });
      const lost = untilFrpLost(frpc.ended, { look: () => readStatus(admin, proxy) });
      const advice = `Check that the firewall of ${serverAddr} lets port ${port} through.`;
      return { address: { host: serverAddr, port }, advice, target, lost, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** Resolves to the path of the configuration, which only its owner can read. */
  async function writeConfig(name: string, target: TunnelTarget, admin: FrpAdmin): Promise<string> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const tokenFile = token === undefined ? undefined : path.join(folder, 'token');
    if (tokenFile !== undefined) await writeFile(tokenFile, token!, { mode: 0o600 });
    const file = path.join(folder, 'frpc.toml');
    await writeFile(file, frpConfig({ name, settings, target, admin, tokenFile }), { mode: 0o600 });
    return file;
  }

  async function untilOpen(
    frpc: TetheredProgram,
    {
      admin,
      proxy,
      signal,
    }: { admin: FrpAdmin; proxy: { name: string; transport: 'tcp' | 'udp' }; signal: AbortSignal },
  ): Promise<number> {
    let end: string | undefined;
    void frpc.ended.then((how) => {
      end = how;
    });
    for (const deadline = performance.now() + OPEN_WITHIN_MS; performance.now() < deadline; ) {
      signal.throwIfAborted();
      if (end !== undefined) throw new TunnelError(`frpc ended (${end}): ${frpc.lastWords()}`);
      const status = await readStatus(admin, proxy).catch(() => undefined); // it is starting or ending
      const port = status?.status === 'running' ? portIn(status.remote_addr) : undefined;
      if (port !== undefined) return port;
      if (status?.status === 'start error') throw new TunnelError(`frps does not open the port: ${words(status)}`);
      await delay(OPENING_LOOK_MS);
    }
    throw new TunnelError(
      `frpc could not sign in to ${serverAddr}:${serverPort}. Check address, port and token. It says: ${frpc.lastWords()}`,
    );
  }

  function words({ err }: FrpProxyStatus): string {
    let clean = err;
    for (const secret of secrets) clean = clean.replaceAll(secret, '********');
    return showUnprintable(clean).slice(0, MOST_WORDS);
  }

  return { name: 'frp', open };
}

/** Throws TunnelError with what frpc says about a configuration that it does not accept. */
async function verify(program: string, config: string): Promise<void> {
  try {
    await promisify(execFile)(program, ['verify', '-c', config], { timeout: OPEN_WITHIN_MS });
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
    const said = showUnprintable(`${stdout}\n${stderr}`.trim().split('\n').at(-1) ?? '').slice(0, MOST_WORDS);
    throw new TunnelError(`frpc does not accept its settings; version 0.52 or newer is needed. It says: ${said}`, {
      cause,
    });
  }
}

/** Resolves to a port for the admin API, which frpc cannot choose itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
