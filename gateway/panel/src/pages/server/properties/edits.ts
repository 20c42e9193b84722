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
    .filter(([key, mine]) => latest[key] !== seen[key] && latest[key] !== mine)
    .map(([key, mine]) => ({ key, mine, theirs: latest[key] ?? '' }));
}

/** The properties as lines of text. A value's line ends and backslashes are escaped. */
export function toLines(values: Values): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}=${value.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`)
    .join('\n');
}

/** What `toLines` was before; comments and lines without "=" are left out. */
export function fromLines(text: string): Record<string, string> {
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
