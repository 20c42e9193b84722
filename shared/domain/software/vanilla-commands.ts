import type { SoftwareDefinition } from './definition.ts';

/** What every server that descends from Mojang's understands (field-notes 3.4 and 3.5; messages of 1.7 to 26.x). */
export const VANILLA_COMMANDS = {
  edition: 'java',
  rcon: true,
  serverProperties: true,
  listPing: true,
  readyPattern: String.raw`^Done \(\d+[.,]\d+s\)!`,
  stopCommand: 'stop',
  saveBeforeStop: 'save-all',
  save: {
    off: 'save-off',
    flush: 'save-all flush',
    on: 'save-on',
    // 1.7 to 1.12, then 1.13 and later; in both, what was off already.
    heldPattern: String.raw`^(?:\[Rcon: )?(?:Turned off world auto-saving|Automatic saving is now disabled|Saving is already turned off)\]?$`,
    savedPattern: String.raw`^(?:\[Rcon: )?Saved the (?:game|world)\]?$`,
    notSavedPattern: String.raw`^(?:\[Rcon: )?(?:Saving failed|Unable to save the game)`,
  },
  playerCommands: {
    kick: 'kick {name} {reason}',
    ban: 'ban {name} {reason}',
    pardon: 'pardon {name}',
    op: 'op {name}',
    deop: 'deop {name}',
    whitelist: 'whitelist add {name}',
  },
  playerNotFoundPattern: `^(?:No player was found|That player cannot be found|That player does not exist|Could not find player|Player not found)`,
  commandFailedPattern:
    '^(?:Unknown or incomplete command|Unknown command|Incorrect argument|Nothing changed|Could not|Unable to|Failed to|' +
    'An unexpected error occurred|Player is (?:already|not) whitelisted)',
} as const satisfies Partial<SoftwareDefinition>;
