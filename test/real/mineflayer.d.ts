/**
 * The parts of mineflayer that the tests use. With these, the checkout type-checks before mineflayer is installed, whose own types need
 * 100 MB of game data.
 */
declare module 'mineflayer' {
  import type { EventEmitter } from 'node:events';

  export interface BotOptions {
    host: string;
    port: number;
    /** Sent in the handshake instead of the host. */
    fakeHost?: string;
    username: string;
    version: string;
    auth: 'offline';
    viewDistance: 'tiny';
    physicsEnabled: boolean;
    hideErrors: boolean;
  }

  interface BotEvents {
    spawn: [];
    kicked: [reason: unknown, loggedIn: boolean];
    end: [reason: string];
    error: [error: Error];
  }

  export interface Bot extends EventEmitter<BotEvents> {
    readonly username: string;
    chat(message: string): void;
    quit(reason?: string): void;
  }

  const mineflayer: { createBot(options: BotOptions): Bot };
  export default mineflayer;
}
