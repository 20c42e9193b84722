import type { Game } from '../commands/command.ts';
import { PROTOCOL, VERSION } from '../console/vanilla-lines.ts';
import type { OnlinePlayer } from '../players/online-players.ts';
import { type Ban, banTime, type Operator } from '../players/player-lists.ts';
import { InvalidParams, type RpcMethod } from './json-rpc.ts';

/** A player in the protocol: id, name or both. */
interface PlayerDto {
  id?: string;
  name?: string;
}

/**
 * Returns the methods for players, and for two of the settings, of vanilla's management protocol (minecraft.wiki, "Minecraft Server Management
 * Protocol"). As in vanilla, `add` and `remove` return the new list, ignore unknown players, and do not report what changed.
 */
export function managementMethods(game: Game): Map<string, RpcMethod> {
  const { bans, operators, whitelist } = game.lists;
  const methods = new Map<string, RpcMethod>(
    Object.entries({
      'minecraft:server/status': () => ({
        started: true,
        players: game.players.all.map(dtoOf),
        version: { name: VERSION, protocol: PROTOCOL },
      }),
      'minecraft:players': () => game.players.all.map(dtoOf),
      'minecraft:players/kick': (params) =>
        listOf(params, 'kick')
          .filter((kick) => game.players.leave(nameOf(playerOf(kick)), messageOf(kick) ?? 'Kicked by an operator'))
          .map(playerOf),
      'minecraft:bans': () => bans.entries.map(banDto),
      'minecraft:bans/add': async (params) => {
        for (const entry of listOf(params, 'add')) {
          const player = known(playerOf(entry));
          if (!player) continue;
          const { reason = 'Banned by an operator.', source = 'Management server', expires } = entry as Partial<Ban>;
          const until = expires === undefined ? 'forever' : banTime(new Date(expires));
          const before = bans.find(player.name);
          if (before) await bans.remove(before);
          await bans.add({ ...player, created: banTime(new Date()), source, expires: until, reason });
          game.players.leave(player.name, 'You are banned from this server');
        }
        return bans.entries.map(banDto);
      },
      'minecraft:bans/remove': (params) => remove(bans, params, banDto),
      'minecraft:operators': () => operators.entries.map(operatorDto),
      'minecraft:operators/add': async (params) => {
        for (const entry of listOf(params, 'add')) {
          const player = known(playerOf(entry));
          const { permissionLevel: level = 4 } = entry as { permissionLevel?: number };
          if (player && !operators.find(player.name))
            await operators.add({ ...player, level, bypassesPlayerLimit: false });
        }
        return operators.entries.map(operatorDto);
      },
      'minecraft:operators/remove': (params) => remove(operators, params, operatorDto),
      'minecraft:allowlist': () => whitelist.entries.map(dtoOf),
      'minecraft:allowlist/add': async (params) => {
        for (const entry of listOf(params, 'add')) {
          const player = known(entry);
          if (player && !whitelist.find(player.name)) await whitelist.add(player);
        }
        return whitelist.entries.map(dtoOf);
      },
      'minecraft:allowlist/remove': (params) => remove(whitelist, params, dtoOf),
      'minecraft:serversettings/max_players': () => game.players.maxPlayers,
      'minecraft:serversettings/max_players/set': async (params) => {
        game.players.maxPlayers = parameterOf(params, 'max', Number.isInteger);
        await game.store('max-players', String(game.players.maxPlayers));
        return game.players.maxPlayers;
      },
      'minecraft:serversettings/motd': () => game.settings.motd,
      'minecraft:serversettings/motd/set': async (params) => {
        game.settings.motd = parameterOf(params, 'message', (value) => typeof value === 'string');
        await game.store('motd', game.settings.motd);
        return game.settings.motd;
      },
    } satisfies Record<string, RpcMethod>),
  );
  methods.set('rpc.discover', () => ({
    openrpc: '1.3.2',
    info: { title: 'Minecraft Server JSON-RPC', version: '2.0.0' },
    methods: [...methods.keys()].map((name) => ({ name })),
  }));
  return methods;

  function known(player: PlayerDto): OnlinePlayer | undefined {
    return game.players.profileOf(nameOf(player));
  }
}

interface EditableList<Entry> {
  readonly entries: readonly Entry[];
  find(name: string): Entry | undefined;
  remove(entry: Entry): Promise<void>;
}

async function remove<Entry>(list: EditableList<Entry>, params: unknown, dto: (entry: Entry) => object) {
  for (const player of listOf(params, 'remove')) {
    const entry = list.find(nameOf(player));
    if (entry) await list.remove(entry);
  }
  return list.entries.map(dto);
}

function dtoOf({ uuid, name }: { uuid: string; name: string }): PlayerDto {
  return { id: uuid, name };
}

function banDto({ reason, source, ...player }: Ban): object {
  return { player: dtoOf(player), reason, source };
}

function operatorDto({ level, bypassesPlayerLimit, ...player }: Operator): object {
  return { player: dtoOf(player), permissionLevel: level, bypassesPlayerLimit };
}

/** Returns a method's only parameter, by position or by name. Throws InvalidParams if it does not fit. */
function parameterOf<Value>(params: unknown, name: string, fits: (value: unknown) => boolean): Value {
  const value: unknown = Array.isArray(params) ? params[0] : (params as Record<string, unknown> | undefined)?.[name];
  if (!fits(value)) throw new InvalidParams(`Invalid value for ${name}`);
  return value as Value;
}

function listOf(params: unknown, name: string): object[] {
  return parameterOf(
    params,
    name,
    (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null),
  );
}

function playerOf(entry: object): PlayerDto {
  const player = 'player' in entry ? entry.player : undefined;
  if (typeof player !== 'object' || player === null) throw new InvalidParams('No key player');
  return player;
}

function nameOf({ name }: PlayerDto): string {
  if (typeof name !== 'string') throw new InvalidParams('No key name');
  return name;
}

function messageOf(kick: object): string | undefined {
  const { message } = kick as { message?: { literal?: string } };
  return message?.literal;
}
