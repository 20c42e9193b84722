/** Reads one `NAME=value` for each line. Returns `undefined` if a line is none. */
export function toEnvironment(text: string): Record<string, string> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([A-Za-z_]\w*)=(.*)$/.exec(line));
  if (pairs.some((pair) => pair === null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1], pair?.[2] ?? '']));
}

/** Returns text that `toEnvironment` reads as these variables, unless a value has several lines. */
export function toEnvironmentText(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}
