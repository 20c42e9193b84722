import type { TextFormat } from './text-format.ts';

/** `key=value`. Comments begin with `#` (learn.microsoft.com, "Bedrock Dedicated Server Properties"). */
const ASSIGNMENT = /^([ \t]*)([^#=\s][^=]*?)([ \t]*=[ \t]*)(.*)$/;

/** The format of the Bedrock server: one `key=value` per line, without escapes. */
export const bedrockFormat: TextFormat = {
  parse(text) {
    const values: Record<string, string> = {};
    for (const line of text.split(/\r?\n/)) {
      const [, , key, , value] = ASSIGNMENT.exec(line) ?? [];
      if (key !== undefined && value !== undefined) values[key] = value.trimEnd();
    }
    return values;
  },

  /** Changes all lines of a key that occurs twice, because it is not documented which one counts. */
  withChanges(text, changes) {
    const missing = new Set(Object.keys(changes));
    const lines = text.split(/(?<=\n)/).map((line) => {
      const lineEnd = /\r?\n$/.exec(line)?.[0] ?? '';
      const [, indent, key = '', equals, value = ''] =
        ASSIGNMENT.exec(line.slice(0, line.length - lineEnd.length)) ?? [];
      const wanted = Object.hasOwn(changes, key) ? changes[key] : undefined;
      missing.delete(key);
      return wanted === undefined || wanted === value.trimEnd() ? line : `${indent}${key}${equals}${wanted}${lineEnd}`;
    });
    const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
    const added = [...missing].map((key) => `${key}=${changes[key]}${lineEnd}`);
    const unfinished = added.length > 0 && text !== '' && !text.endsWith('\n');
    return [...lines, unfinished ? lineEnd : '', ...added].join('');
  },

  problemOf(key, value) {
    if (/[#=]/.test(key)) return 'the name must not contain # or =';
    if (/[\x00-\x1f\x7f]/.test(value)) return 'must not contain line ends or control characters';
    return value === value.trim() ? undefined : 'must not begin or end with a space';
  },
};
