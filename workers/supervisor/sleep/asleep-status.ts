import path from 'node:path';
import { readServerFile } from '../../../shared/node/files/server-file.ts';
import type { ServerStatus } from '../../../shared/node/list-ping/status.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import type { ServerPing } from '../players/list-ping.ts';

/** Grey, on the second line that a server list has. */
const ASLEEP = '\n§7asleep: join to start it';
/** A client shows no line that is longer. In UTF-16 units. */
const LONGEST_MOTD = 200;
/** Vanilla's own; a client takes no icon that is larger than a packet allows anyway. */
const LONGEST_ICON_BYTES = 24 * 1024;
const DEFAULT_MAX_PLAYERS = 20;
const ANY_PROTOCOL = -1;

/** What is known of a server that sleeps. */
export interface AsleepServer {
  config: InstanceConfig;
  /** Of its `server.properties`. */
  properties: Readonly<Record<string, string>>;
  /** What it said of itself when it last ran. */
  lastPing: Pick<ServerPing, 'version' | 'protocol' | 'max'> | undefined;
  favicon: string | undefined;
}

/** What a sleeping server tells the server list; to each client that it speaks that one's protocol. */
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

/** The server's icon as its clients take it; undefined where there is none that can be used. */
export async function readFavicon(folder: string): Promise<string | undefined> {
  try {
    const icon = await readServerFile(path.join(folder, 'server-icon.png'));
    if (!icon || icon.length > LONGEST_ICON_BYTES) return undefined;
    return `data:image/png;base64,${icon.toString('base64')}`;
  } catch {
    return undefined; // what lies there is no icon
  }
}

function maxPlayersIn(properties: Readonly<Record<string, string>>): number {
  const max = Number(properties['max-players'] ?? DEFAULT_MAX_PLAYERS);
  return Number.isSafeInteger(max) && max >= 0 ? max : DEFAULT_MAX_PLAYERS;
}
