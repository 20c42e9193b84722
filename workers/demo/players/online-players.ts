import type { ConsoleLog } from '../console-log.ts';
import { javaAddress } from './java-address.ts';
import { offlineUuid } from './offline-uuid.ts';
import type { PlayerLists } from './player-lists.ts';

/** Somebody who plays, or is said to. */
export interface OnlinePlayer {
  readonly name: string;
  readonly uuid: string;
}

export interface OnlinePlayersSetting {
  readonly log: ConsoleLog;
  readonly lists: PlayerLists;
  readonly maxPlayers: number;
  readonly whitelistEnforced: boolean;
}

/** The simulated players. Each event prints what vanilla prints. */
export class OnlinePlayers {
  readonly maxPlayers: number;
  whitelistEnforced: boolean;
  readonly #log: ConsoleLog;
  readonly #lists: PlayerLists;
  readonly #online = new Map<string, OnlinePlayer>();
  #logins = 0;

  constructor({ log, lists, maxPlayers, whitelistEnforced }: OnlinePlayersSetting) {
    this.#log = log;
    this.#lists = lists;
    this.maxPlayers = maxPlayers;
    this.whitelistEnforced = whitelistEnforced;
  }

  get all(): readonly OnlinePlayer[] {
    return [...this.#online.values()];
  }

  find(name: string): OnlinePlayer | undefined {
    return this.#online.get(name.toLowerCase());
  }

  /** Lets a player in, unless the lists or the limit forbid it; who plays already is put out by the second login, as in vanilla. */
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
    this.#log.info(`${name}[${address}] logged in with entity id ${281 + this.#logins} at (8.5, 65.0, 8.5)`);
    this.#log.info(`${name} joined the game`);
    return true;
  }

  /** Takes a player out of the game; whether there was one. */
  leave(name: string, reason: string): boolean {
    const player = this.find(name);
    if (!player) return false;
    this.#online.delete(name.toLowerCase());
    this.#log.info(`${player.name} lost connection: ${reason}`);
    this.#log.info(`${player.name} left the game`);
    return true;
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

/** The ports that systems give to outgoing connections. */
const FIRST_PORT = 49_152;
const PORTS = 16_384;
