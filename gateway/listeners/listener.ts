import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { errorCode } from '../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { isLoopback } from '../../shared/node/loopback.ts';
import { buildApp } from '../app.ts';
import { closeSocket } from '../console/open-sockets.ts';
import type { Gateway } from '../gateway.ts';
import { closeServer } from '../http/close-server.ts';
import { type TlsMaterial, tlsOptions } from '../http/server.ts';
import type { Api } from '../http/zod-provider.ts';
import type { ListenerPlan } from './listener-plan.ts';

/** Time for answers under way; less than the daemon grants the whole process. */
export const DRAIN_MS = 3_000;
/** RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;

/** Errors for an address that this machine does not have, or that is invalid. */
const NO_SUCH_HOST = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EINVAL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ENODATA',
  'ERR_INVALID_ARG_VALUE',
]);

export interface Listener {
  /** With the port that was actually bound. */
  readonly plan: ListenerPlan;
  readonly url: string;
  /** Accepts no more connections; open ones continue. */
  pause(): void;
  resume(): Promise<void>;
  /** New connections get this certificate; open ones keep theirs. */
  renew(material: TlsMaterial): void;
  /** Closes WebSockets with a reason, finishes answers under way, then closes the connections. */
  retire(reason: string): Promise<void>;
}

/** Opens a listener. If that fails, the error says what to do, and nothing stays open. */
export async function openListener(
  gateway: Gateway,
  plan: ListenerPlan,
  { tls, mayBeReached }: { tls: TlsMaterial | undefined; mayBeReached: boolean },
): Promise<Listener> {
  const { name, host, families } = plan;
  const app = await buildApp({ gateway, families, local: false, loopback: isLoopback(host), tls });
  try {
    await app.listen({ host, port: plan.port });
    const { address } = app.server.address() as AddressInfo;
    // "localhost" can be any address in /etc/hosts.
    if (!mayBeReached && !isLoopback(address))
      throw new GamekeeperError(
        'invalid_request',
        `${host} resolves to ${address}, which other machines can reach (remoteControl.host).`,
        { resolution: 'Set remoteControl.host to 127.0.0.1, or remoteControl.tls to a certificate and its key.' },
      );
  } catch (error) {
    await app.close();
    throw explain(error, plan);
  }
  const { port } = app.server.address() as AddressInfo;

  return {
    plan: { ...plan, port },
    url: urlOf({ ...plan, port }),
    pause: () => void app.server.close(),
    async resume() {
      app.server.listen({ host, port });
      await once(app.server, 'listening');
      gateway.log.info({ listener: name, port }, 'listening as before');
    },
    renew: (material) => (app.server as unknown as TlsServer).setSecureContext(tlsOptions(material)),
    retire: (reason) => retire(app, reason),
  };
}

async function retire(app: Api, reason: string): Promise<void> {
  const { server, websocketServer } = app;
  const closed = closeServer(server, DRAIN_MS);
  for (const socket of websocketServer.clients) void closeSocket(socket, { code: GOING_AWAY, reason });
  // Ends event streams, and waits for the other answers.
  await Promise.all([closed, app.close()]);
}

export function urlOf({ secure, host, port }: ListenerPlan): string {
  return `${secure ? 'https' : 'http'}://${reachable(host)}:${port}`;
}

/** Returns the host for a URL: loopback for a listener on all addresses. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function explain(error: unknown, { name, host, port }: ListenerPlan): unknown {
  const code = errorCode(error);
  const setting = name === 'panel' ? 'remoteControl.panelPort' : 'remoteControl.port';
  const variable = name === 'panel' ? 'GAMEKEEPER_PORT' : 'GAMEKEEPER_REMOTE_PORT';
  if (code === 'EADDRINUSE')
    return new GamekeeperError('port_in_use', `Port ${port} on ${host} is in use by another program (${setting}).`, {
      resolution: `Stop that program, or choose another port with ${variable} or ${setting} in settings.json (0 for any free port).`,
      cause: error,
    });
  if (code === 'EACCES')
    return new GamekeeperError('invalid_request', `This user may not listen on port ${port} (${setting}).`, {
      resolution: `Choose a port above 1023 with ${variable} or ${setting} in settings.json.`,
      cause: error,
    });
  if (code !== undefined && NO_SUCH_HOST.has(code))
    return new GamekeeperError('invalid_request', `${host} is not an address of this machine (remoteControl.host).`, {
      resolution: 'Correct GAMEKEEPER_HOST or remoteControl.host in settings.json; 127.0.0.1 always works.',
      cause: error,
    });
  return error;
}
