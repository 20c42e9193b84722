import type { PlayerQuery, SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { queryA2s } from '../../../shared/node/game-query/query-a2s.ts';
import { queryMinecraft } from '../../../shared/node/game-query/query-minecraft.ts';
import { queryQuake3 } from '../../../shared/node/game-query/query-quake3.ts';
import { pingBedrockServer } from '../../../shared/node/list-ping/ping-bedrock-server.ts';
import { type PingTarget, pingServer } from '../../../shared/node/list-ping/ping-server.ts';
import type { GameProcess } from '../game/game-process.ts';
import type { AskForPlayers, PlayerCount } from '../vitals/vitals.ts';
import type { Presence } from './presence.ts';

const QUERIES: Readonly<Record<PlayerQuery, (target: PingTarget) => Promise<PlayerCount>>> = {
  a2s: queryA2s,
  quake3: queryQuake3,
  minecraft: queryMinecraft,
};

/**
 * Returns how to find out how many players are online: by the server list ping, by the kind's query, or from the console, if its kind says
 * how that names them. Returns `undefined` if there is no way.
 */
export function askerOf(
  { address: { host, port, ports = {} }, isRecovered }: Pick<GameProcess, 'address' | 'isRecovered'>,
  { definition, presence }: { definition: SoftwareDefinition; presence: Pick<Presence, 'names'> },
): AskForPlayers | undefined {
  const { listPing, edition, players } = definition;
  if (listPing) {
    const ping = edition === 'bedrock' ? pingBedrockServer : pingServer;
    return (timeoutMs) => ping({ host, port, timeoutMs });
  }
  if (players?.query) {
    const query = QUERIES[players.query];
    const at = players.port === undefined ? port : ports[players.port];
    return at === undefined ? undefined : (timeoutMs) => query({ host, port: at, timeoutMs });
  }
  // Who joined before this supervisor is not known.
  if (!players?.joined || isRecovered) return undefined;
  return async () => ({ online: presence.names.length, sample: [] });
}
