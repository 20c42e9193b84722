/** From where the lines of a report are. */
export interface ReportSource {
  name: string;
  /** With the version. */
  software: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/**
 * Returns lines of the log as a code block of Markdown for a bug report or a chat, with one line above them that says whose they are. No text
 * within it can end the block.
 */
export function toReport(lines: string, { name, software, at }: ReportSource): string {
  const date = new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
  const content = `${name} · ${software} · ${date} UTC\n${lines}`;
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}\n${content}${fence}\n`;
}

/** Of backticks. */
function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
