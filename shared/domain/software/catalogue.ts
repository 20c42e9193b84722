import { custom } from './custom.ts';
import type { SoftwareDefinition } from './definition.ts';
import { demo } from './demo.ts';
import { vanilla } from './vanilla.ts';

/** Every kind of software, in the order in which it is offered. */
export const SOFTWARE: readonly SoftwareDefinition[] = [vanilla, custom, demo];

/** The definition of a kind, or `undefined` for a kind that does not exist. */
export function softwareOf(kind: string): SoftwareDefinition | undefined {
  return SOFTWARE.find((definition) => definition.kind === kind);
}
