import type { AdminChannelType } from '../../../shared/domain/software/admin-channel.ts';
import { createRconSession, type RconSession } from '../rcon/session.ts';
import type { RconTally } from '../rcon/tally.ts';
import { type AdminAddress, type AdminChannel, createAdminSession } from './admin-session.ts';
import { createQuake3Rcon } from './quake3-rcon.ts';
import { createTelnet } from './telnet.ts';
import { createWebSocketRcon } from './web-socket-rcon.ts';

const CHANNELS: Readonly<Record<Exclude<AdminChannelType, 'source-rcon'>, (address: AdminAddress) => AdminChannel>> = {
  'quake3-rcon': createQuake3Rcon,
  telnet: createTelnet,
  'websocket-rcon': createWebSocketRcon,
};

/** Creates the session for the commands of one run of a game. It connects with the first command. */
export function createCommandSession(
  { channel = 'source-rcon', ...address }: AdminAddress & { channel?: AdminChannelType },
  tally: RconTally,
): Pick<RconSession, 'run' | 'isBusy' | 'close'> {
  if (channel === 'source-rcon') return createRconSession({ ...address, tally });
  return createAdminSession(CHANNELS[channel](address), tally);
}
