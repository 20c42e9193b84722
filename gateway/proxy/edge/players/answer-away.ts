import type { Socket } from 'node:net';
import { answerClient } from '../../../../shared/node/list-ping/status-server.ts';

const LIFETIME_MS = 15_000;
/** Any version: the client shows the text instead of "outdated". */
const UNKNOWN_PROTOCOL = -1;

/** Why a server cannot be reached, as players see it. */
export const AWAY = {
  offline: 'This server is offline, or its computer has no connection.',
  suspended: 'The address of this server is suspended.',
  full: 'Too many players use this address at the moment. Try again later.',
  spent: 'This server has used up its traffic for this month.',
} as const;

export type Away = keyof typeof AWAY;

/** Answers a player in place of the server: with a line in the server list, or a message instead of the game. */
export function answerAway(socket: Socket, why: Away): void {
  const text = AWAY[why];
  const timer = setTimeout(() => socket.destroy(), LIFETIME_MS);
  socket.once('close', () => clearTimeout(timer));
  answerClient(socket, {
    status: (protocol = UNKNOWN_PROTOCOL) => ({
      version: 'Gamekeeper',
      protocol,
      motd: text,
      max: 0,
      online: 0,
      sample: [],
    }),
    onLogin: () => ({ message: text }),
  });
  socket.once('end', () => socket.end());
  socket.resume();
}
