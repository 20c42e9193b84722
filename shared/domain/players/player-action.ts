export const PLAYER_ACTIONS = ['kick', 'ban', 'pardon', 'op', 'deop', 'whitelist', 'unwhitelist'] as const;
export type PlayerAction = (typeof PLAYER_ACTIONS)[number];

export interface PlayerActionRequest {
  name: string;
  action: PlayerAction;
  /** Of a kick or ban. */
  reason?: string | undefined;
  /** Of a ban that ends by itself. */
  durationSeconds?: number | undefined;
  /** Of an operator, 1 to 4. Absent: the server's default. */
  level?: number | undefined;
}
