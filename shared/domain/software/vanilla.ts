import type { SoftwareDefinition } from './definition.ts';
import { VANILLA_COMMANDS } from './vanilla-commands.ts';

/** Mojang's own server. */
export const vanilla: SoftwareDefinition = {
  ...VANILLA_COMMANDS,
  kind: 'vanilla',
  title: 'Minecraft (vanilla)',
  defaultVersion: null,
  eula: true,
  needsInstall: true,
  launch: { type: 'jar', jar: 'server.jar', args: ['nogui'] },
};
