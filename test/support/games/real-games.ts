import type { Test } from 'tap';
import type { Instance } from '../../../shared/schema/instance.ts';
import { requireProgram } from '../machine/system-packages.ts';
import type { Gamekeeper } from '../processes/gamekeeper.ts';

/** Games of Debian, with what each has in its folder once it runs, and the command line of its process. */
export const GAMES = {
  luanti: {
    ...{ program: 'minetestserver', debianPackage: 'minetest-server', world: 'world/map.sqlite' },
    process: /^\S*minetestserver /,
  },
  openttd: {
    ...{ program: 'openttd', debianPackage: 'openttd openttd-opengfx', world: 'save/autosave' },
    process: /^\S*openttd -D/,
  },
  openarena: {
    ...{ program: 'openarena-server', debianPackage: 'openarena-server', world: 'baseoa/q3config_server.cfg' },
    process: /ioq3ded \+set /,
  },
  teeworlds: {
    ...{ program: 'teeworlds-server', debianPackage: 'teeworlds-server', world: 'teeworlds.cfg' },
    process: /^\S*teeworlds-server /,
  },
  freeciv: {
    ...{ program: 'freeciv-server', debianPackage: 'freeciv-server', world: undefined },
    process: /^\S*freeciv-server /,
  },
} as const;
export type Game = keyof typeof GAMES;
export const GAME_NAMES = Object.keys(GAMES) as Game[];

/** Freeciv refuses to run as root. The others but Luanti are created with a name and a kind alone. */
export const OTHER_USER: readonly Game[] = process.getuid?.() === 0 ? ['freeciv', 'luanti'] : [];

/** Returns whether all are there. Otherwise the test fails or is skipped, as `requireProgram` decides. */
export function areInstalled(t: Test): boolean {
  return Object.values(GAMES).every(({ program, debianPackage }) => requireProgram(t, program, debianPackage));
}

/** Creates a server of each game, named after its kind. */
export async function createAll({ api }: Gamekeeper): Promise<Record<Game, Instance>> {
  const created = GAME_NAMES.map(async (software) => {
    const { status, body } = await api<Instance>('POST', '/instances', {
      ...{ name: software, software },
      ...(OTHER_USER.includes(software) && { runAs: 'games' }),
    });
    if (status !== 201) throw new Error(`${software}: ${JSON.stringify(body)}`);
    return [software, body] as const;
  });
  return Object.fromEntries(await Promise.all(created)) as Record<Game, Instance>;
}
