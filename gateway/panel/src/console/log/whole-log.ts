import { connectConsole } from '../console-connection.ts';
import { withoutColours } from '../strip-colours.ts';

/** So long nothing may come before the rest is given up: a busy supervisor answers within seconds. Milliseconds. */
const LONGEST_SILENCE_MS = 30_000;
/** What is held as text before it goes into a Blob, which the browser may keep on disk. Characters. */
const PART_CHARACTERS = 1_000_000;

/** The log could not be read to its end. */
export class LogCutShort extends Error {
  override name = 'LogCutShort';
}

/**
 * Everything that the server's log keeps up to line `last`: redacted as everywhere, without colours. By way of the console's WebSocket, since
 * an answer of `GET /instances/{id}/logs` has a thousand lines at most. Rejects with `LogCutShort`.
 */
export function wholeLog({ instanceId, last }: { instanceId: string; last: number }): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const parts: Blob[] = [];
    let part = '';
    let seen = 0;
    let silence: number | undefined;
    const connection = connectConsole(
      { instanceId, from: 1 },
      {
        onLines(lines) {
          for (const { seq, text } of lines) if (seq <= last) part += `${withoutColours(text)}\n`;
          if (part.length > PART_CHARACTERS) endPart();
          reach(lines.at(-1)?.seq ?? seen);
        },
        // Gone from the log; what comes then is behind them.
        onSkipped: (count) => reach(seen + count),
        onUnfinished() {},
        onNotice() {},
        onState(state) {
          if (state === 'lost' || state === 'ended') fail();
        },
      },
    );
    listenFor();

    function reach(seq: number): void {
      seen = seq;
      listenFor();
      if (seen < last) return;
      end();
      endPart();
      resolve(new Blob(parts, { type: 'text/plain' }));
    }
    function endPart(): void {
      parts.push(new Blob([part]));
      part = '';
    }
    function listenFor(): void {
      window.clearTimeout(silence);
      silence = window.setTimeout(fail, LONGEST_SILENCE_MS);
    }
    function fail(): void {
      end();
      reject(new LogCutShort());
    }
    function end(): void {
      window.clearTimeout(silence);
      connection.close();
    }
  });
}
