/** Ways to send commands to a game, other than its console. */
export const ADMIN_CHANNELS = ['source-rcon', 'quake3-rcon', 'telnet', 'websocket-rcon'] as const;
export type AdminChannelType = (typeof ADMIN_CHANNELS)[number];

/**
 * How a game takes commands. Port and password of a channel are the instance's `rcon`, filled in for `{rcon.port}` and `{rcon.password}`;
 * `quake3-rcon` uses the game port. `none`: it takes no commands at all.
 */
export type AdminRule =
  | { type: 'none' }
  | {
      type: AdminChannelType;
      /** True if it reads nothing from its console: lines typed there go over the channel. */
      replacesConsole?: boolean;
    };

/** Returns the channel of a kind, or `undefined` if it has none. */
export function adminChannelOf({ admin }: { admin?: AdminRule }): AdminChannelType | undefined {
  return admin === undefined || admin.type === 'none' ? undefined : admin.type;
}

/** Returns whether a kind understands the commands of Minecraft. Others would take them for chat, or for something else. */
export function takesMinecraftCommands({ admin }: { admin?: AdminRule }): boolean {
  return admin === undefined;
}
