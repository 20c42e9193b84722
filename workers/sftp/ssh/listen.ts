import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { errorCode } from '../../../shared/errors/error-code.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { addressGroup } from '../../../shared/node/address-group.ts';

/** A name that nobody resolves must not keep a change of the settings waiting. Milliseconds. */
const LISTEN_WITHIN_MS = 4_000;
/** Connections that have not signed in. */
const MOST_STRANGERS = 64;
const MOST_FROM_ONE_PLACE = 16;

/** Listens for connections, and closes those of strangers beyond the limit at once. `serve` calls `onSignedIn` when one is no stranger. */
export async function listen(
  { host, port }: { host: string; port: number },
  serve: (socket: Socket, onSignedIn: () => void) => void,
): Promise<Server> {
  const strangers = new Map<Socket, string>();
  const server = createServer({ noDelay: true }, (socket) => {
    const group = addressGroup(socket.remoteAddress ?? '');
    const near = [...strangers.values()].filter((other) => other === group).length;
    socket.on('error', () => socket.destroy());
    if (strangers.size >= MOST_STRANGERS || near >= MOST_FROM_ONE_PLACE) {
      socket.destroy();
      return;
    }
    strangers.set(socket, group);
    socket.once('close', () => strangers.delete(socket));
    serve(socket, () => strangers.delete(socket));
  });
  server.listen(port, host);
  try {
    await once(server, 'listening', { signal: AbortSignal.timeout(LISTEN_WITHIN_MS) });
  } catch (cause) {
    server.close();
    throw listenError(cause, { host, port });
  }
  return server;
}

function listenError(cause: unknown, { host, port }: { host: string; port: number }): unknown {
  switch (errorCode(cause)) {
    case 'EADDRINUSE':
      return new GamekeeperError('port_in_use', `Port ${port} for SFTP is used by another program.`, {
        resolution: 'Choose another "sftp.port" in the settings.',
        cause,
      });
    case 'EACCES':
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ABORT_ERR':
      return new GamekeeperError('invalid_request', `SFTP cannot listen on ${host}, port ${port}.`, {
        resolution: 'Choose another "sftp.host" or "sftp.port" in the settings.',
        cause,
      });
    default:
      return cause;
  }
}
