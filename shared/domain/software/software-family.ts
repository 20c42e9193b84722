import type { SoftwareDefinition } from './definition.ts';

/** Kinds between which an existing server can change: they read the same world, or run any program. */
export const SOFTWARE_FAMILIES = ['minecraft-java', 'program'] as const;
export type SoftwareFamily = (typeof SOFTWARE_FAMILIES)[number];

/** Returns the family of a kind; `undefined` if its servers cannot change their software. */
export function softwareFamily({
  edition,
  serverProperties,
  launch,
}: Pick<SoftwareDefinition, 'edition' | 'serverProperties' | 'launch'>): SoftwareFamily | undefined {
  if (launch.type === 'program') return 'program';
  return launch.type === 'java' && edition === 'java' && serverProperties ? 'minecraft-java' : undefined;
}
