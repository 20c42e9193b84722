/**
 * What a server should do, as far as the next supervisor needs to know:
 * - `running`: run, and start again after a crash if the crash policy says so
 * - `restarting`: stop, then start again; a restart was requested
 * - `asleep`: stop if it runs, then sleep until a player joins
 * - `stopped`: stop if it runs, and stay stopped
 */
export const INTENTS = ['running', 'restarting', 'asleep', 'stopped'] as const;
export type Intent = (typeof INTENTS)[number];
