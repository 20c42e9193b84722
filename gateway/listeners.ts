import { chmod, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { GamekeeperError } from '../shared/errors/gamekeeper-error.ts';
import type { Home } from '../shared/node/home.ts';
import { buildApp } from './app.ts';
import type { Addresses, Gateway } from './gateway.ts';
import type { TlsMaterial } from './http/server.ts';
import type { Api } from './http/zod-provider.ts';
import { FAMILIES, isLoopback, type ListenerPlan, planListeners } from './listener-plan.ts';

/** Everything this gateway listens on. */
export interface Listeners {
  /** URLs of the TCP listeners; `null` while Remote Control is off. */
  addresses: Addresses;
  close(): Promise<void>;
}

export interface ListenOptions {
  home: Home;
  /** Ports to take, 0 for any: the settings' own, or those that the gateway before this one had. */
  ports: { panel: number; remote: number };
}

/** Binds the private socket and the TCP listeners. Rejects with an error that says what to do; nothing is left listening then. */
export async function listen(gateway: Gateway, { home, ports }: ListenOptions): Promise<Listeners> {
  const { remoteControl } = gateway.settings;
  const plans = planListeners(remoteControl, ports);
  const tls = plans.length > 0 && remoteControl.tls ? await readTls(remoteControl.tls, home.root) : undefined;
  const apps: Api[] = [];
  const close = async () => void (await Promise.all(apps.map((app) => app.close())));
  const urls = new Map<ListenerPlan['name'], string>();
  try {
    for (const plan of plans) {
      const app = await buildApp({ gateway, ...plan, local: false, loopback: isLoopback(remoteControl.host), tls });
      apps.push(app);
      urls.set(plan.name, await bind(app, plan, { host: remoteControl.host, secure: tls !== undefined }));
    }
    const panel = urls.get('panel') ?? null;
    gateway.addresses = { panel, remote: urls.get('remote') ?? panel };
    const local = await buildApp({ gateway, families: FAMILIES, local: true, loopback: true });
    apps.push(local);
    await bindPrivately(local, home.gatewaySocket);
  } catch (error) {
    await close();
    throw error;
  }
  return { addresses: gateway.addresses, close };
}

async function bind(
  app: Api,
  plan: ListenerPlan,
  { host, secure }: { host: string; secure: boolean },
): Promise<string> {
  try {
    await app.listen({ host, port: plan.port });
  } catch (error) {
    throw explain(error, plan, host);
  }
  const { port } = app.server.address() as AddressInfo;
  return `${secure ? 'https' : 'http'}://${reachable(host)}:${port}`;
}

/** A host to put into a URL: what listens everywhere is reached here at the loopback address. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** The umask closes the moment between bind and chmod in which others could connect. */
async function bindPrivately(app: Api, socketPath: string): Promise<void> {
  await app.ready();
  if (process.platform !== 'win32') await rm(socketPath, { force: true });
  const mask = process.umask(0o177);
  try {
    await app.listen({ path: socketPath });
  } finally {
    process.umask(mask);
  }
  if (process.platform !== 'win32') await chmod(socketPath, 0o600);
}

async function readTls({ cert, key }: { cert: string; key: string }, root: string): Promise<TlsMaterial> {
  const read = async (name: string, file: string) => {
    try {
      return await readFile(path.resolve(root, file));
    } catch (cause) {
      throw new GamekeeperError('invalid_request', `remoteControl.tls.${name}: ${file} cannot be read.`, {
        resolution: 'Correct the path in settings.json, or make the file readable for this user.',
        cause,
      });
    }
  };
  const material = { cert: await read('cert', cert), key: await read('key', key) };
  try {
    createSecureContext(material);
  } catch (cause) {
    throw new GamekeeperError('invalid_request', 'remoteControl.tls: certificate and key are not a PEM pair.', {
      resolution: 'Name a certificate (with its chain) and its unencrypted private key, both in PEM form.',
      cause,
    });
  }
  return material;
}

function explain(error: unknown, { name, port }: ListenerPlan, host: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const setting = name === 'panel' ? 'remoteControl.panelPort' : 'remoteControl.port';
  const variable = name === 'panel' ? 'GAMEKEEPER_PORT' : 'GAMEKEEPER_REMOTE_PORT';
  if (code === 'EADDRINUSE')
    return new GamekeeperError('port_in_use', `Port ${port} on ${host} is in use by another program.`, {
      resolution: `Stop that program, or choose another port with ${variable} or ${setting} in settings.json (0: any free one).`,
      cause: error,
    });
  if (code === 'EACCES')
    return new GamekeeperError('invalid_request', `This user may not listen on port ${port}.`, {
      resolution: `Choose a port above 1023 with ${variable} or ${setting} in settings.json.`,
      cause: error,
    });
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new GamekeeperError('invalid_request', `${host} is not an address of this machine.`, {
      resolution: 'Correct GAMEKEEPER_HOST or remoteControl.host in settings.json; 127.0.0.1 always works.',
      cause: error,
    });
  return error;
}
