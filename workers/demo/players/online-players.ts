import { isIPv6 } from 'node:net';
import { offlineUuid } from '../../../shared/node/players/offline-uuid.ts';
import type { ConsoleLog } from '../console/console-log.ts';
import type { PlayerLists } from './player-lists.ts';

export interface OnlinePlayer {
  readonly name: string;
  readonly uuid: string;
}

export type PlayerWatcher = (player: OnlinePlayer, movement: 'joined' | 'left') => void;

export interface OnlinePlayersOptions {
  readonly log: ConsoleLog;
  readonly lists: PlayerLists;
  readonly maxPlayers: number;
  readonly whitelistEnforced: boolean;
  /** If true, only players who joined before or are on a list are known. Otherwise any name is. */
  readonly onlineMode: boolean;
}

/** The simulated players. Prints the lines of vanilla. */
export class OnlinePlayers {
  maxPlayers: number;
  whitelistEnforced: boolean;
  readonly #log: ConsoleLog;
  readonly #lists: PlayerLists;
  readonly #onlineMode: boolean;
  readonly #online = new Map<string, OnlinePlayer>();
  readonly #seen = new Map<string, OnlinePlayer>();
  readonly #watchers = new Set<PlayerWatcher>();
  #logins = 0;

  constructor({ log, lists, maxPlayers, whitelistEnforced, onlineMode }: OnlinePlayersOptions) {
    this.#log = log;
    this.#lists = lists;
    this.maxPlayers = maxPlayers;
    this.whitelistEnforced = whitelistEnforced;
    this.#onlineMode = onlineMode;
  }

  get all(): readonly OnlinePlayer[] {
    return [...this.#online.values()];
  }

  find(name: string): OnlinePlayer | undefined {
    return this.#online.get(name.toLowerCase());
  }

  /** Calls `watcher` when a player joins or leaves. Returns a function that removes it. */
  watch(watcher: PlayerWatcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Returns the player with this name, online or not, or `undefined` if the name is not known. */
  profileOf(name: string): OnlinePlayer | undefined {
    const { operators, bans, whitelist } = this.#lists;
    const listed = operators.find(name) ?? bans.find(name) ?? whitelist.find(name);
    const known = this.find(name) ?? this.#seen.get(name.toLowerCase()) ?? listed;
    if (known) return { uuid: known.uuid, name: known.name };
    return this.#onlineMode ? undefined : { uuid: offlineUuid(name), name };
  }

  /** Adds a player, unless the lists or the limit forbid it. A second login disconnects the first, as in vanilla. */
  join(name: string, ip: string): boolean {
    this.#logins += 1;
    const address = javaAddress(ip, FIRST_PORT + ((this.#logins * 7919) % PORTS));
    const uuid = offlineUuid(name);
    this.#log.info(`UUID of player ${name} is ${uuid}`, `User Authenticator #${this.#logins}`);
    const refusal = this.#refusal(name);
    if (refusal !== undefined) {
      this.#log.info(`Disconnecting ${name} (${address}): ${refusal}`);
      this.#log.info(`${name} (${address}) lost connection: ${refusal}`);
      return false;
    }
    this.leave(name, 'You logged in from another location');
    this.#online.set(name.toLowerCase(), { name, uuid });
    this.#seen.set(name.toLowerCase(), { name, uuid });
    this.#log.info(`${name}[${address}] logged in with entity id ${281 + this.#logins} at (8.5, 65.0, 8.5)`);
    this.#log.info(`${name} joined the game`);
    this.#tell({ name, uuid }, 'joined');
    return true;
  }

  /** Removes a player. Returns false if there was none. */
  leave(name: string, reason: string): boolean {
    const player = this.find(name);
    if (!player) return false;
    this.#online.delete(name.toLowerCase());
    this.#log.info(`${player.name} lost connection: ${reason}`);
    this.#log.info(`${player.name} left the game`);
    this.#tell(player, 'left');
    return true;
  }

  #tell(player: OnlinePlayer, movement: 'joined' | 'left'): void {
    for (const watcher of this.#watchers) watcher(player, movement);
  }

  #refusal(name: string): string | undefined {
    const ban = this.#lists.bans.find(name);
    if (ban) return `You are banned from this server.\nReason: ${ban.reason}`;
    const invited = this.#lists.whitelist.find(name) ?? this.#lists.operators.find(name);
    if (this.whitelistEnforced && !invited) return 'You are not white-listed on this server!';
    if (this.#online.size >= this.maxPlayers && !this.find(name)) return 'The server is full!';
    return undefined;
  }
}

/** The ephemeral ports, which systems use for outgoing connections. */
const FIRST_PORT = 49_152;
const PORTS = 16_384;

/** Formats a socket address like Java 17: IPv6 in brackets, in eight groups without `::`. */
function javaAddress(ip: string, port: number): string {
  return isIPv6(ip) ? `/[${expandIpv6(ip)}]:${port}` : `/${ip}:${port}`;
}

function expandIpv6(ip: string): string {
  const url = new URL(`http://[${ip}]/`).hostname.slice(1, -1);
  const [head = '', tail] = url.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].join(':');
}
