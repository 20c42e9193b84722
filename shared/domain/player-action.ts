/** What can be done to a player by name (api.md, Instance). */
export const PLAYER_ACTIONS = ['kick', 'ban', 'pardon', 'op', 'deop', 'whitelist'] as const;
export type PlayerAction = (typeof PLAYER_ACTIONS)[number];
