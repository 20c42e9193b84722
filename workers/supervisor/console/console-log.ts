import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import stripAnsi from 'strip-ansi';
import { encodeBatches } from '../../../shared/contract/console-batch.ts';
import type { SupervisorStats } from '../../../shared/contract/stats.ts';
import { showInvisible } from '../../../shared/domain/console/invisible-characters.ts';
import { NOTICE_PREFIX } from '../../../shared/domain/console/notice-prefix.ts';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { removeUnfinishedWrites, writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { Batcher } from './log/batcher.ts';
import { LogFile, type LogFileOptions } from './log/log-file.ts';
import { LogHistory } from './log/log-history.ts';
import type { SealedBatch } from './log/open-batch.ts';
import { UnfinishedLine } from './log/unfinished-line.ts';
import { ConsoleRedactor, NOT_SHOWN, type OwnerRedaction } from './redaction/console-redactor.ts';
import { LineSplitter, type Lines } from './terminal/line-splitter.ts';
import { plainText } from './terminal/plain-text.ts';

export interface ConsoleLogOptions extends LogFileOptions {
  redaction: OwnerRedaction;
}

/**
 * The console of one instance. Terminal output takes this way:
 *
 * 1. `terminal/` splits the bytes into lines;
 * 2. `redaction/` hides secrets and personal data in them;
 * 3. `log/batcher.ts` numbers the lines and gathers them into batches;
 * 4. `log/log-history.ts` keeps each batch in memory and on disk, and the viewers get it encoded.
 *
 * Nothing is kept or shown before it is redacted.
 */
export interface ConsoleLog {
  /** Writes the lines that wait. Returns the number of the newest line; 0 before the first. Numbers continue over supervisors. */
  lineNumber(): number;
  /** Returns whether a line has begun and not ended. */
  isMidLine(): boolean;
  /** Calls `listener` whenever lines were written, with the number of the newest one. Returns a function that removes the listener. */
  onLogged(listener: (newest: number) => void): () => void;
  /** Totals since the start of the supervisor. */
  counts(): SupervisorStats['console'];
  /** Takes one read of the terminal. */
  append(bytes: Buffer): void;
  /** The program has ended: its unfinished line becomes its last. */
  endOfOutput(): void;
  /** What is hidden besides patterns. */
  secrets(): string[];
  /** Adds the line `[gamekeeper] <text>`. */
  appendNotice(text: string): void;
  /** Returns those lines after line `after` that are not notices, oldest first, as far as `lastLines` returns them. */
  gameLinesAfter(after: number): Promise<string[]>;
  /** Hides these secrets as well from now on. */
  hideSecrets(secrets: readonly string[]): void;
  /** Replaces the owner's redaction rules for the lines that follow. */
  setRedaction(redaction: OwnerRedaction): void;
  /** Cleans and redacts text that is not part of the stream, such as an RCON answer. It has no colours then. */
  redact(text: string): string;
  /** Returns the newest lines as plain text, oldest first. */
  lastLines(count: number): Promise<string[]>;
  /** Returns the newest `limit` lines that contain a text in any case, as plain text, oldest first. Throws `rate_limited`. */
  search(text: string, options: { limit: number; signal?: AbortSignal | undefined }): Promise<string[]>;
  /** Returns encoded batches: about `maxBytes` after line `after`, or the last `tail` lines. */
  read(query: { after: number; maxBytes: number } | { tail: number }): Promise<Uint8Array>;
  /**
   * Calls `listener` with each new encoded batch. A batch without lines holds the unfinished line as it looks now; the next batch replaces
   * it. Returns a function that removes the listener.
   */
  onBatch(listener: (batch: Uint8Array) => void): () => void;
  /** Writes the lines that wait and closes the file. The unfinished line is the next supervisor's. */
  close(): Promise<void>;
}

/**
 * Opens the console log of a folder, and creates the folder if it is missing. Line numbers continue where they ended. What a killed supervisor
 * left half-written there is removed.
 */
export async function openConsoleLog(options: ConsoleLogOptions): Promise<ConsoleLog> {
  const file = await LogFile.open(options);
  await removeUnfinishedWrites(options.directory);
  const key = await readPseudonymKey(path.join(options.directory, 'pseudonym.key'));
  return createConsoleLog(new ConsoleRedactor(key, options.redaction), new LogHistory(file));
}

function createConsoleLog(redactor: ConsoleRedactor, history: LogHistory): ConsoleLog {
  const splitter = new LineSplitter();
  const viewers = new Set<(batch: Uint8Array) => void>();
  const logListeners = new Set<(newest: number) => void>();
  const batcher = new Batcher(history.lastSeq, publish);
  const unfinishedLine = new UnfinishedLine({
    isWatched: () => viewers.size > 0,
    read() {
      batcher.flush();
      return redactor.settled(splitter.unfinished());
    },
    show: (text) =>
      send(encodeBatches([{ firstSeq: history.lastSeq + 1, count: 0, at: Date.now(), skipped: 0, text }])),
  });
  let lineCount = 0;
  let byteCount = 0;

  function take(lines: Lines | undefined): void {
    if (lines) add(redactor.redact(lines), lines.count);
    else unfinishedLine.showSoon();
  }

  function add(redacted: Buffer, count: number): void {
    unfinishedLine.cancel(); // it has ended; the next unfinished line gets its own time
    unfinishedLine.showSoon();
    lineCount += count;
    batcher.add(redacted, count);
  }

  function publish({ batch, encoded }: SealedBatch): void {
    unfinishedLine.forget();
    const failure = history.append(batch);
    for (const listener of logListeners) listener(history.lastSeq);
    send(encoded);
    if (failure) appendNotice(`The console log cannot be written (${failure}). The console continues without it.`);
  }

  function send(encoded: Uint8Array): void {
    for (const viewer of viewers) viewer(encoded);
  }

  /** No pattern of the owner may hide what tells notices from lines of the game. */
  function appendNotice(text: string): void {
    // It may repeat text of a program or a vendor, whose control characters would move a viewer's cursor.
    const parts = showInvisible(stripAnsi(text)).split('\n');
    const line = parts
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join(' ')
      .replace(/\p{Cc}/gu, '');
    const redacted = redactor.redact({ text: Buffer.from(`${line}\r\n`), count: 1 });
    add(Buffer.concat([Buffer.from(NOTICE_PREFIX), redacted]), 1);
  }

  async function lastLines(count: number): Promise<string[]> {
    batcher.flush();
    return history.lastLines(count);
  }

  return {
    lineNumber() {
      batcher.flush();
      return history.lastSeq;
    },
    isMidLine: () => splitter.isMidLine,
    onLogged(listener) {
      logListeners.add(listener);
      return () => logListeners.delete(listener);
    },
    counts: () => ({ lines: lineCount, bytes: byteCount, redactions: redactor.redactions }),
    append(bytes) {
      byteCount += bytes.length;
      take(splitter.push(bytes));
    },
    endOfOutput: () => take(splitter.flush()),
    secrets: () => redactor.secrets,
    appendNotice,
    hideSecrets: (secrets) => redactor.hideSecrets(secrets),
    setRedaction(redaction) {
      redactor.setOwnerRules(redaction);
      unfinishedLine.showSoon();
    },
    redact: (text) => redactor.redactText(plainText(text)),
    lastLines,
    async gameLinesAfter(after) {
      batcher.flush();
      const lines = await lastLines(Math.max(0, history.lastSeq - after));
      return lines.filter((line) => !line.startsWith(NOTICE_PREFIX) || line === NOT_SHOWN);
    },
    async search(text, options) {
      batcher.flush();
      return history.search(text, options);
    },
    async read(query) {
      if ('tail' in query) return encodeBatches(await history.tail(query.tail));
      return history.read(query.after, query.maxBytes, encodeBatches);
    },
    onBatch(listener) {
      viewers.add(listener);
      unfinishedLine.forget(); // the new viewer has not seen it
      unfinishedLine.showSoon();
      return () => viewers.delete(listener);
    },
    async close() {
      batcher.flush();
      unfinishedLine.cancel();
      history.close();
    },
  };
}

const KEY_BYTES = 32;

/** Returns the instance's own key for pseudonyms. Creates it on first use, so that pseudonyms stay the same over restarts. */
async function readPseudonymKey(file: string): Promise<Buffer> {
  try {
    const key = await readFile(file);
    if (key.length === KEY_BYTES) return key;
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  const key = randomBytes(KEY_BYTES);
  await writeFileAtomically(file, key);
  return key;
}
