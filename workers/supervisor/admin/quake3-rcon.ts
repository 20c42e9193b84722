import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { RconError } from '../rcon/rcon-error.ts';
import type { AdminAddress, AdminChannel } from './admin-session.ts';
import { createQuietEnd } from './quiet-end.ts';

/** Before every packet without a connection. */
const OUT_OF_BAND = Buffer.alloc(4, 0xff);
const ANSWER = 'print\n';
/** A long answer comes in several packets, without a mark at its end. Milliseconds without another one. */
const QUIET_MS = 150;
const REFUSED = /^(?:Bad rconpassword|No rconpassword set)/;
/** `^1` and the like. */
const COLOUR = /\^\w/g;

/**
 * RCON of Quake III Arena and the games on its engine, over UDP (ioquake3, code/server/sv_main.c: SVC_RemoteCommand). The password goes over
 * the network as it is, so use it on the same machine only.
 */
export function createQuake3Rcon({ host, port, password }: AdminAddress): AdminChannel {
  return {
    async ask(command, signal) {
      // The server takes what follows a blank as the command, even within quotes.
      if (/[\s"]/.test(password))
        throw new RconError('password-refused', 'The password for commands must not contain blanks or quotes');
      const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
      const answer = createQuietEnd(QUIET_MS);
      const refused = (cause: Error) =>
        answer.fail(new RconError('refused', 'The server does not listen for commands', { cause }));
      socket.on('error', refused);
      socket.on('message', (message) => {
        const text = message.toString('utf8', OUT_OF_BAND.length);
        if (message.subarray(0, OUT_OF_BAND.length).equals(OUT_OF_BAND) && text.startsWith(ANSWER))
          answer.add(text.slice(ANSWER.length));
      });
      // Connected, so that a closed port causes an error and messages of others are dropped. The types lack the error (nodejs.org, dgram).
      socket.connect(port, host, (...[failure]: [Error?]) => {
        if (failure) refused(failure);
        else socket.send(Buffer.concat([OUT_OF_BAND, Buffer.from(`rcon "${password}" ${command}`)]));
      });
      signal.addEventListener('abort', () => answer.fail(signal.reason), { once: true });
      try {
        const text = (await answer.done).replace(COLOUR, '');
        if (REFUSED.test(text)) throw new RconError('password-refused', 'The server refused the password for commands');
        return text.trimEnd();
      } finally {
        socket.close();
      }
    },
    end: () => undefined,
  };
}
