/**
 * Parses a `.properties` file like `java.util.Properties.load`: comments, `=`, `:` or a blank as the separator, escapes, and lines that
 * continue after a backslash. If a key occurs twice, the last one wins.
 */
export function parseProperties(text: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const line of logicalLines(text)) {
    const match = /^((?:\\.|[^\s=:\\])*)(?:\s*[=:]\s*|\s+|$)(.*)$/s.exec(line);
    if (match) entries.set(unescaped(match[1] ?? ''), unescaped(match[2] ?? ''));
  }
  return entries;
}

/** Escapes a value so that {@link parseProperties} reads it back. */
export function escapeValue(value: string): string {
  return value
    .replace(/\\/g, '\\\\')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/^[ \t\f]/, '\\$&');
}

function logicalLines(text: string): string[] {
  const lines: string[] = [];
  let begun: string | undefined;
  for (const natural of text.split(/\r\n|\n|\r/)) {
    const line = natural.trimStart();
    if (begun === undefined && (line === '' || line.startsWith('#') || line.startsWith('!'))) continue;
    const whole = (begun ?? '') + line;
    const continues = (/\\*$/.exec(whole)?.[0].length ?? 0) % 2 === 1;
    begun = continues ? whole.slice(0, -1) : undefined;
    if (begun === undefined) lines.push(whole);
  }
  if (begun !== undefined) lines.push(begun);
  return lines;
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f' };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_whole, code?: string, char?: string) =>
    code === undefined ? (ESCAPES[char ?? ''] ?? char ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
