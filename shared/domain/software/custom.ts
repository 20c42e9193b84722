import type { SoftwareDefinition } from './definition.ts';
import { VANILLA_COMMANDS } from './vanilla-commands.ts';

/** Any program of the owner's. What it understands is said by the instance itself (`readyPattern`, `stopCommand`, `saveCommands`). */
export const custom: SoftwareDefinition = {
  ...VANILLA_COMMANDS,
  kind: 'custom',
  title: 'Custom program',
  defaultVersion: 'custom',
  eula: false,
  needsInstall: false,
  launch: { type: 'program' },
  rcon: false,
  serverProperties: false,
  readyPattern: null,
  saveBeforeStop: null,
  save: {},
};
