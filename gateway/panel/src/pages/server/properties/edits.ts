import { MASK } from './property-input.ts';

export type Values = Readonly<Record<string, string>>;

/** A property that the user and someone else have changed to different values. */
export interface Conflict {
  key: string;
  mine: string;
  theirs: string;
}

/** What came of putting former values back: the properties that have them again, and those that someone has changed since. */
export interface Restored {
  restored: readonly string[];
  skipped: readonly string[];
}

export function realEdits(edits: Values, present: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(edits).filter(([key, value]) => present[key] !== value));
}

/** Returns the values that `edits` replace; `undefined` if they cannot be stored again, because one is a secret or unknown. */
export function formerValues(edits: Values, present: Values): Record<string, string> | undefined {
  const former = Object.keys(edits).map((key) => [key, present[key] ?? MASK] as const);
  return former.some(([, value]) => value === MASK) ? undefined : Object.fromEntries(former);
}

/** Returns which of the `saved` properties nobody has changed since. */
export function stillSaved(saved: Values, latest: Values): string[] {
  return Object.keys(saved).filter((key) => latest[key] === saved[key]);
}

/** Returns the conflicts of `edits`, which were made on top of the `seen` values, with the `latest` ones. */
export function conflictsOf(edits: Values, { seen, latest }: { seen: Values; latest: Values }): Conflict[] {
  return Object.entries(edits)
    .filter(([key, mine]) => (latest[key] ?? '') !== (seen[key] ?? '') && latest[key] !== mine)
    .map(([key, mine]) => ({ key, mine, theirs: latest[key] ?? '' }));
}

/**
 * Returns the edits in a text that was first `shown` with some `edits` applied: the lines that differ since, and the lines of those
 * `edits` that are still there. The keys of half-typed lines disappear with them.
 */
export function editsOfText(text: string, { shown, edits }: { shown: Values; edits: Values }): Record<string, string> {
  const lines = Object.entries(fromLines(text));
  return Object.fromEntries(lines.filter(([key, value]) => key in edits || shown[key] !== value));
}

/** Formats properties as text, one per line. Escapes line breaks and backslashes in values. */
export function toLines(values: Values): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}=${value.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`)
    .join('\n');
}

/** Parses the text of `toLines`. Ignores comments and lines without "=". */
function fromLines(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split('\n')
      .map((line) => line.trimStart())
      .filter((line) => line.includes('=') && !/^[#!]/.test(line))
      .map((line): [string, string] => {
        const at = line.indexOf('=');
        const value = line
          .slice(at + 1)
          .replace(/\\(.)/g, (_whole, character) => (character === 'n' ? '\n' : character));
        return [line.slice(0, at).trim(), value];
      }),
  );
}
