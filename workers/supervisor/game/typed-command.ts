import type { Game } from './game.ts';
import type { LogLine } from './log-prefix.ts';

/** A command counts as answered once the console has been quiet for so long behind a line (api.md, POST commands). */
const QUIET_MS = 250;
/** ... and in any case after this. */
const LONGEST_MS = 2_000;
/** No answer has more lines; a server that floods its console while it is asked would fill the memory. */
const MOST_LINES = 1_000;

/**
 * Collects what the console prints after `line` was typed into it, until it is quiet. To be called just before or after typing, in
 * the same turn. The terminal's echo of the line is left out.
 */
export function linesAfterTyping({ lines }: Pick<Game, 'lines'>, line: string): Promise<LogLine[]> {
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

/** A line editor shows its prompt before what was typed. */
function isEcho(printed: string, line: string): boolean {
  return printed.endsWith(line) && /^[>$#:\s]*$/.test(printed.slice(0, -line.length));
}
