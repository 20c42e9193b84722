/** The lists of players that a server keeps: who may not join, who may give orders, who may join where not everybody may. */
export const PLAYER_LISTS = ['bans', 'operators', 'allowlist'] as const;
export type PlayerList = (typeof PLAYER_LISTS)[number];
