import { BUILT_IN_FILES } from './built-in-files.ts';
import type { SoftwareDefinition } from './definition.ts';
import { extendDefinition, type SoftwareFile } from './extend-definition.ts';

/** Every kind that ships with us, in the order in which it is offered. That the files are whole and right is checked by a test. */
export const SOFTWARE: readonly SoftwareDefinition[] = definitions();

/** The definition of a kind, or `undefined` for a kind that does not exist. */
export function softwareOf(kind: string): SoftwareDefinition | undefined {
  return SOFTWARE.find((definition) => definition.kind === kind);
}

function definitions(): SoftwareDefinition[] {
  const known: SoftwareDefinition[] = [];
  for (const file of BUILT_IN_FILES) known.push(extendDefinition(file as SoftwareFile, known) as SoftwareDefinition);
  return known;
}
