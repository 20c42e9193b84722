import { BUILT_IN_FILES } from './built-in-files.ts';
import type { SoftwareDefinition } from './definition.ts';
import { extendDefinition, type SoftwareFile } from './extend-definition.ts';

/** Every kind that ships with us, in the order in which it is offered. That the files are whole and right is checked by a test. */
export const SOFTWARE: readonly SoftwareDefinition[] = definitions();

let own: readonly SoftwareDefinition[] = [];

/** Has this process know the owner's own kinds, in place of those it knew. None of them has the name of one that ships with us. */
export function setCustomSoftware(definitions: readonly SoftwareDefinition[]): void {
  own = definitions;
}

/** Those that ship with us, then the owner's own. */
export function allSoftware(): readonly SoftwareDefinition[] {
  return [...SOFTWARE, ...own];
}

/** The definition of a kind, or `undefined` for a kind that does not exist. */
export function softwareOf(kind: string): SoftwareDefinition | undefined {
  return allSoftware().find((definition) => definition.kind === kind);
}

function definitions(): SoftwareDefinition[] {
  const known: SoftwareDefinition[] = [];
  for (const file of BUILT_IN_FILES) known.push(extendDefinition(file as SoftwareFile, known) as SoftwareDefinition);
  return known;
}
