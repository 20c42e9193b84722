export const PLAYER_LISTS = ['bans', 'operators', 'allowlist'] as const;
export type PlayerList = (typeof PLAYER_LISTS)[number];
