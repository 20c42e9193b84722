type Values = Readonly<Record<string, string>>;

/** A property that both somebody else and one oneself has changed, differently. */
export interface Conflict {
  key: string;
  mine: string;
  theirs: string;
}

/** The edits without those that come to what is there already. */
export function realEdits(edits: Values, present: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(edits).filter(([key, value]) => present[key] !== value));
}

/** Where `edits`, made on top of `seen`, contradict what the properties have become since. */
export function conflictsOf(edits: Values, { seen, latest }: { seen: Values; latest: Values }): Conflict[] {
  return Object.entries(edits)
    .filter(([key, mine]) => (latest[key] ?? '') !== (seen[key] ?? '') && latest[key] !== mine)
    .map(([key, mine]) => ({ key, mine, theirs: latest[key] ?? '' }));
}

/**
 * The edits that a whole text comes to: what its lines say otherwise than when it was `shown`, and the `edits` that it was shown with,
 * as far as their lines are still there. A name that was only typed half is none of them any more.
 */
export function editsOfText(text: string, { shown, edits }: { shown: Values; edits: Values }): Record<string, string> {
  const lines = Object.entries(fromLines(text));
  return Object.fromEntries(lines.filter(([key, value]) => key in edits || shown[key] !== value));
}

/** The properties as lines of text. A value's line ends and backslashes are escaped. */
export function toLines(values: Values): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}=${value.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`)
    .join('\n');
}

/** What `toLines` was before; comments and lines without "=" are left out. */
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
