/** Quotes one word of a unit: double quotes, C escapes, no specifiers (systemd.syntax(7), Quoting; systemd.unit(5), Specifiers). */
export function systemdWord(word: string): string {
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
}
