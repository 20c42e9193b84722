export const PLAYER_ACTIONS = ['kick', 'ban', 'pardon', 'op', 'deop', 'whitelist', 'unwhitelist'] as const;
export type PlayerAction = (typeof PLAYER_ACTIONS)[number];
