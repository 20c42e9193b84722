import { connectConsole } from '../console-connection.ts';
import { stripColours } from '../strip-colours.ts';

/** Without a line for this long the download fails; a busy supervisor answers within seconds. */
const MAX_SILENCE_MS = 30_000;
/** Text is collected up to this size, then moved into a Blob, which the browser may keep on disk. Characters. */
const CHUNK_LENGTH = 1_000_000;

export class LogCutShort extends Error {
  override name = 'LogCutShort';
}

/**
 * Reads the log up to line `last`, redacted and without colours. Uses the console's WebSocket, because one response of
 * `GET /instances/{id}/logs` has at most 1,000 lines. Rejects with `LogCutShort` if the connection is lost.
 */
export function readWholeLog({ instanceId, last }: { instanceId: string; last: number }): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const chunks: Blob[] = [];
    let chunk = '';
    let reached = 0;
    let silence: ReturnType<typeof setTimeout> | undefined;
    const connection = connectConsole(
      { instanceId, from: 1 },
      {
        onLines(lines) {
          for (const { seq, text } of lines) if (seq <= last) chunk += `${stripColours(text)}\n`;
          if (chunk.length > CHUNK_LENGTH) endChunk();
          advanceTo(lines.at(-1)?.seq ?? reached);
        },
        onSkipped: (count) => advanceTo(reached + count),
        onUnfinished() {},
        onNotice() {},
        onState(state) {
          if (state === 'lost' || state === 'ended') fail();
        },
      },
    );
    watchSilence();

    function advanceTo(seq: number): void {
      reached = seq;
      watchSilence();
      if (reached < last) return;
      end();
      endChunk();
      resolve(new Blob(chunks, { type: 'text/plain' }));
    }
    function endChunk(): void {
      chunks.push(new Blob([chunk]));
      chunk = '';
    }
    function watchSilence(): void {
      clearTimeout(silence);
      silence = setTimeout(fail, MAX_SILENCE_MS);
    }
    function fail(): void {
      end();
      reject(new LogCutShort());
    }
    function end(): void {
      clearTimeout(silence);
      connection.close();
    }
  });
}
