import type { SoftwareDefinition } from './definition.ts';
import { VANILLA_COMMANDS } from './vanilla-commands.ts';

/** The small server that ships with Gamekeeper: no download, no Java, a world that is really written. It speaks the protocol of 1.20.4. */
export const demo: SoftwareDefinition = {
  ...VANILLA_COMMANDS,
  kind: 'demo',
  title: 'Demo server',
  defaultVersion: '1.20.4',
  eula: false,
  needsInstall: false,
  launch: { type: 'embedded', entry: 'workers/demo/main.js', args: [] },
};
