import type { LiveProperty, SoftwareDefinition } from '../software/definition.ts';
import { knownProperty } from './known-properties.ts';
import { type Effect, type KnownProperty, valueProblem } from './property.ts';

/** What a running server takes new values from. */
export type LiveSource = 'command' | 'management';

/** How to give a running server a new value: with commands, or as a setting of the management protocol. */
export type LiveChange =
  | { source: 'command'; commands: readonly string[]; donePattern: string }
  | { source: 'management'; method: string; value: string | number | boolean };

/** Returns what a running server takes new values of a property from, or `undefined` if each needs a restart. */
export function liveSource(
  property: KnownProperty,
  { liveProperties }: Pick<SoftwareDefinition, 'liveProperties'>,
): LiveSource | undefined {
  // Free text never becomes a part of a command.
  if (property.type !== 'text' && liveProperties?.[property.key]) return 'command';
  return property.managementSetting === undefined ? undefined : 'management';
}

/** Returns how a running server takes this value, or `undefined` if it needs a restart: for what is not known, and for an invalid value. */
export function liveChange(key: string, value: string, definition: SoftwareDefinition): LiveChange | undefined {
  const property = knownProperty(definition.edition, key);
  if (!property || valueProblem(property, value) !== undefined) return undefined;
  const rule = definition.liveProperties?.[key];
  const present = presentForm(property, value);
  switch (liveSource(property, definition)) {
    case 'command':
      return rule && commandsOf(rule, present);
    case 'management':
      return {
        source: 'management',
        method: `minecraft:serversettings/${property.managementSetting}/set`,
        value: typed(property, present),
      };
    default:
      return undefined;
  }
}

/** Returns when a changed value is in effect, for a server that has taken it or not. */
export function effectOf(
  key: string,
  { edition }: Pick<SoftwareDefinition, 'edition'>,
  { isTaken }: { isTaken: boolean },
): Effect {
  return isTaken ? 'now' : (knownProperty(edition, key)?.takesEffect ?? 'restart');
}

function commandsOf({ commands, donePattern, written }: LiveProperty, value: string): LiveChange {
  const word = written?.[value as keyof typeof written] ?? value;
  return {
    source: 'command',
    commands: commands.map((command) => command.replaceAll('{value}', () => word)),
    donePattern: donePattern.replaceAll('{value}', () => RegExp.escape(word)),
  };
}

/** Returns the spelling of current versions, which may be the only one that commands know. */
function presentForm({ choices = [], olderForms = [] }: KnownProperty, value: string): string {
  return choices[olderForms.indexOf(value)] ?? value;
}

function typed({ type }: KnownProperty, value: string): string | number | boolean {
  if (type === 'boolean') return value === 'true';
  return type === 'integer' || type === 'decimal' ? Number(value) : value;
}
