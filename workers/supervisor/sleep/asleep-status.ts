import path from 'node:path';
import { readServerFile } from '../../../shared/node/files/server/server-file.ts';
import type { ServerPing } from '../../../shared/node/list-ping/ping-server.ts';
import type { ServerStatus } from '../../../shared/node/list-ping/status.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';

/** The second line of the entry in the server list, in grey. */
const ASLEEP = '\n§7asleep: join to start it';
/** Clients show no more than this. UTF-16 units. */
const LONGEST_MOTD = 200;
/** The limit of vanilla; a packet to the client holds no more anyway. */
const LONGEST_ICON_BYTES = 24 * 1024;
const DEFAULT_MAX_PLAYERS = 20;
const ANY_PROTOCOL = -1;

export interface AsleepServer {
  config: InstanceConfig;
  properties: Readonly<Record<string, string>>;
  /** Its answer to the last ping while it ran. */
  lastPing: Partial<Pick<ServerPing, 'version' | 'protocol' | 'max'>> | undefined;
  favicon: string | undefined;
}

/** Returns the server list entry of a sleeping server. Each client gets its own protocol version, so that it offers to join. */
export function asleepStatus(
  { config, properties, lastPing, favicon }: AsleepServer,
  protocol: number | undefined,
): ServerStatus {
  const [motd = ''] = (properties.motd ?? config.name).slice(0, LONGEST_MOTD).split('\n', 1);
  const isKnown = protocol !== undefined && protocol >= 0;
  return {
    version: lastPing?.version || config.version,
    protocol: isKnown ? protocol : (lastPing?.protocol ?? ANY_PROTOCOL),
    motd: motd + ASLEEP,
    max: lastPing?.max ?? config.maxPlayers ?? maxPlayersIn(properties),
    online: 0,
    sample: [],
    favicon,
  };
}

/** Returns the server's icon as a data URL, or `undefined` if it has none that clients accept. */
export async function readFavicon(folder: string): Promise<string | undefined> {
  try {
    const icon = await readServerFile(path.join(folder, 'server-icon.png'));
    if (!icon || icon.length > LONGEST_ICON_BYTES) return undefined;
    return `data:image/png;base64,${icon.toString('base64')}`;
  } catch {
    return undefined; // not a readable file
  }
}

function maxPlayersIn(properties: Readonly<Record<string, string>>): number {
  const max = Number(properties['max-players'] ?? DEFAULT_MAX_PLAYERS);
  return Number.isSafeInteger(max) && max >= 0 ? max : DEFAULT_MAX_PLAYERS;
}
