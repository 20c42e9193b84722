import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { PlayerSkins } from '../../shared/schema/player-skins.ts';
import type { Jobs } from '../upstream/clients.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import { type Supervisors, WITH_ACCOUNTS } from '../upstream/supervisors.ts';

/** The pictures of a page share what is known of their server, whose files the supervisor reads each time. Milliseconds. */
const FRESH_MS = 2_000;

export interface PlayerSkinsService {
  /** Asks for nothing, and returns no skins, while the setting `players.skins` is off. Never waits for Mojang. */
  list(id: string): Promise<PlayerSkins>;
  /** Returns a PNG. Throws `player_not_found` if no player of this server has this skin. */
  read(id: string, texture: string): Promise<Uint8Array>;
}

export interface PlayerSkinsOptions {
  view: InstanceView;
  supervisors: Pick<Supervisors, 'ask'>;
  jobs: Jobs;
  isAllowed: () => boolean;
}

export function createPlayerSkinsService(options: PlayerSkinsOptions): PlayerSkinsService {
  const { view, supervisors, jobs, isAllowed } = options;
  /** `at`: on the monotonic clock. */
  const recent = new Map<string, { at: number; skins: Promise<PlayerSkins> }>();

  async function ask(id: string): Promise<PlayerSkins> {
    const accounts = await supervisors.ask(id, (supervisor) => supervisor.accounts(), WITH_ACCOUNTS);
    const { found, pending } = await jobs.call.skins(accounts.map(({ uuid }) => uuid));
    const textures = new Map(found.map(({ uuid, texture }) => [uuid, texture]));
    const players = accounts.flatMap(({ name, uuid }) => {
      const texture = textures.get(uuid.toLowerCase());
      return texture === undefined ? [] : [{ name, texture }];
    });
    return { enabled: true, players, pending };
  }

  async function list(id: string): Promise<PlayerSkins> {
    await view.get(id);
    if (!isAllowed()) return { enabled: false, players: [], pending: false };
    const now = performance.now();
    for (const [one, { at }] of recent) if (now - at >= FRESH_MS) recent.delete(one);
    const { skins } = recent.get(id) ?? { skins: ask(id) };
    if (!recent.has(id)) recent.set(id, { at: now, skins });
    return skins;
  }

  return {
    list,
    async read(id, texture) {
      const { players } = await list(id);
      const png = players.some((player) => player.texture === texture) ? await jobs.call.skin(texture) : null;
      if (!png) throw new GamekeeperError('player_not_found', 'No player of this server has this skin.');
      return png;
    },
  };
}
