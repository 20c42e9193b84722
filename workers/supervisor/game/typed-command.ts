import type { GameProcess } from './game-process.ts';
import type { LogLine } from './log-prefix.ts';

/** A command counts as answered once the console has been quiet for this long after a line. Milliseconds. */
const QUIET_MS = 250;
/** Its answer is complete after this in any case. */
const LONGEST_MS = 2_000;
/** No answer has more lines. Limits the memory if the server floods its console meanwhile. */
const MOST_LINES = 1_000;

/**
 * Collects the lines that the console prints after `line` was typed, until it is quiet, without the terminal's echo of the line. Call it in
 * the same turn as the typing, so that no output is missed.
 */
export function linesAfterTyping({ lines }: Pick<GameProcess, 'lines'>, line: string): Promise<LogLine[]> {
  return new Promise((resolve) => {
    const printed: LogLine[] = [];
    let quiet: NodeJS.Timeout | undefined;
    let echoed = false;
    const stop = lines.onLine((next) => {
      if (!echoed && isEcho(next.text, line)) {
        echoed = true;
        return;
      }
      printed.push(next);
      clearTimeout(quiet);
      if (printed.length === MOST_LINES) {
        finish();
        return;
      }
      quiet = setTimeout(finish, QUIET_MS);
    });
    const longest = setTimeout(finish, LONGEST_MS);
    function finish(): void {
      clearTimeout(quiet);
      clearTimeout(longest);
      stop();
      resolve(printed);
    }
  });
}

/** A line editor prints its prompt before the echo. */
function isEcho(printed: string, line: string): boolean {
  return printed.endsWith(line) && /^[>$#:\s]*$/.test(printed.slice(0, -line.length));
}
