import type { WebSocket } from 'ws';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import type { Identity } from '../auth/identity.ts';
import type { OpenSockets } from './open-sockets.ts';

/** Frames of any kind per second. Typing and pasting stay far below; each frame costs a turn of the event loop. */
const MOST_FRAMES_PER_SECOND = 1_000;

/** Returns an error if another console would exceed the limits, else `undefined`. The local administrator is not limited. */
export function tooManyConsoles(
  { kind, credential, username }: Identity,
  instance: string,
  { sockets, limits }: { sockets: OpenSockets; limits: Settings['limits'] },
): GamekeeperError | undefined {
  if (kind === 'local') return undefined;
  const { socketsPerCredential, socketsPerUser, socketsPerInstance } = limits;
  if (sockets.count({ credential }) >= socketsPerCredential)
    return tooMany('with this credential', socketsPerCredential, 'limits.socketsPerCredential');
  if (sockets.count({ username }) >= socketsPerUser)
    return tooMany('by this user', socketsPerUser, 'limits.socketsPerUser');
  if (sockets.count({ instance }) >= socketsPerInstance)
    return tooMany('on this instance', socketsPerInstance, 'limits.socketsPerInstance');
  return undefined;
}

function tooMany(whose: string, most: number, setting: string): GamekeeperError {
  return new GamekeeperError('rate_limited', `${most} consoles are open ${whose}, which is the limit.`, {
    resolution: `Close some, or raise ${setting} in the settings.`,
  });
}

const FRAME_KINDS = ['message', 'ping', 'pong'] as const;

/** Calls `onFlood` once if the other end sends more frames than typing needs: messages, pings, unsolicited pongs. */
export function limitFrames(socket: WebSocket, onFlood: () => void): void {
  let second = 0;
  let count = 0;
  const onFrame = () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) count = 0;
    second = now;
    if (++count <= MOST_FRAMES_PER_SECOND) return;
    for (const kind of FRAME_KINDS) socket.off(kind, onFrame);
    onFlood();
  };
  for (const kind of FRAME_KINDS) socket.on(kind, onFrame);
}
