import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import stripAnsi from 'strip-ansi';
import { type ConsoleBatch, encodeBatches } from '../../../shared/contract/console-batch.ts';
import type { SupervisorStats } from '../../../shared/contract/stats.ts';
import { errorCode, hasErrorCode } from '../../../shared/errors/error-code.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { LogFile, type LogFileOptions } from './log/log-file.ts';
import { LogRing } from './log/log-ring.ts';
import { OpenBatch } from './log/open-batch.ts';
import type { OwnerRules } from './redaction/owner-rules.ts';
import { Redactor } from './redaction/redactor.ts';
import { LineSplitter, type Lines } from './terminal/line-splitter.ts';

/** Lines that come within this time of each other go together (api.md, Console WebSocket). */
const BATCH_MS = 16;
/** A batch of this size goes at once. */
const BATCH_BYTES = 64 * 1024;
/** A line that is unfinished for so long is a prompt or a progress bar (architecture.md, Redaction). */
const UNFINISHED_MS = 50;
/** Read at a time where all of something is wanted. */
const READ_BYTES = 1024 * 1024;
const KEY_BYTES = 32;

export interface ConsoleLogOptions extends LogFileOptions {
  /** What the owner added to the redaction rules: regular expressions that were checked when they were saved. */
  redaction: OwnRedaction;
}

/** The owner's regular expressions. */
export interface OwnRedaction {
  patterns: readonly string[];
  exceptions: readonly string[];
}

/**
 * The console of one instance: terminal output becomes lines, lines are redacted and numbered, go to disk and to the followers in
 * batches. Nothing that has not been redacted is kept or handed out.
 */
export interface ConsoleLog {
  /** What has gone through so far. */
  counts(): SupervisorStats['console'];
  /** Takes one read of the terminal. */
  append(bytes: Buffer): void;
  /** The program has ended: what it left unfinished is its last line. */
  endOfOutput(): void;
  /** Says something of ours, as `[gamekeeper] <text>`. */
  appendNotice(text: string): void;
  /** Hides these from now on, beside those hidden before. */
  hideSecrets(secrets: readonly string[]): void;
  /** Replaces what the owner added to the redaction rules, for what comes from now on. */
  setRedaction(redaction: OwnRedaction): void;
  /** Redacts a text that is not part of the stream, such as an answer over RCON. */
  redact(text: string): string;
  /** The newest lines, plain, oldest first. */
  lastLines(count: number): Promise<string[]>;
  /** The newest `limit` lines that contain a text, in whatever case; plain, oldest first. */
  search(text: string, limit: number): Promise<string[]>;
  /** Encoded batches: about `maxBytes` after line `after`, or the last `tail` lines. */
  read(query: { after: number; maxBytes: number } | { tail: number }): Promise<Uint8Array>;
  /**
   * Calls `listener` with each new encoded batch, and with what the unfinished line shows when that changes: as a batch of no lines, which
   * the next batch of any takes back. Returns how to stop it.
   */
  onBatch(listener: (batch: Uint8Array) => void): () => void;
  /** Writes what is waiting and lets go of the file. */
  close(): Promise<void>;
}

/** Opens the console log in a folder, which is made if it is missing; numbers go on where they ended. */
export async function openConsoleLog(options: ConsoleLogOptions): Promise<ConsoleLog> {
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  const key = await pseudonymKey(path.join(options.directory, 'pseudonym.key'));
  const file = await LogFile.open(options);
  const ring = new LogRing();
  const splitter = new LineSplitter();
  const listeners = new Set<(batch: Uint8Array) => void>();
  const secrets = new Set<string>();
  const redactor = new Redactor({ key, owner: ownerRules(options.redaction) });
  let lastSeq = file.lastSeq;
  const waiting = new OpenBatch();
  let lastBatchAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  /** What the followers see of the unfinished line. */
  let shown: Buffer = Buffer.alloc(0);
  let showTimer: NodeJS.Timeout | undefined;
  let diskFailed = false;
  let lineCount = 0;
  let byteCount = 0;

  function take(lines: Lines | undefined): void {
    // Where a line has ended, the next one has its own time.
    if (lines) forgetToShow();
    showSoon();
    if (!lines) return;
    waiting.add(redacted(lines), lines.count);
    lineCount += lines.count;
    const quietFor = performance.now() - lastBatchAt;
    if (quietFor >= BATCH_MS || waiting.bytes >= BATCH_BYTES) flush();
    else timer ??= setTimeout(flush, BATCH_MS - quietFor);
  }

  /** Holds until the next call. */
  function redacted({ text, count }: Lines): Buffer {
    try {
      return redactor.redact(text);
    } catch {
      // A mistake in a rule must neither show what it should have hidden nor stop the console.
      return Buffer.from(
        '[gamekeeper] A line could not be checked for personal data and is not shown.\r\n'.repeat(count),
      );
    }
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.count === 0) return;
    const { batch, encoded } = waiting.seal(lastSeq + 1, Date.now());
    lastSeq += batch.count;
    lastBatchAt = performance.now();
    shown = Buffer.alloc(0);
    write(batch);
    ring.push(batch);
    for (const listener of listeners) listener(encoded);
  }

  function showSoon(): void {
    if (listeners.size > 0) showTimer ??= setTimeout(showUnfinished, UNFINISHED_MS);
  }

  function forgetToShow(): void {
    clearTimeout(showTimer);
    showTimer = undefined;
  }

  function showUnfinished(): void {
    showTimer = undefined;
    flush();
    const text = settledPart();
    if (text.equals(shown)) return;
    shown = text;
    const encoded = encodeBatches([{ firstSeq: lastSeq + 1, count: 0, at: Date.now(), skipped: 0, text }]);
    for (const listener of listeners) listener(encoded);
  }

  /** As much of the unfinished line as no rule could still match in, whatever follows. */
  function settledPart(): Buffer {
    try {
      return redactor.settled(splitter.unfinished());
    } catch {
      // A mistake in a rule: the line is judged when it ends.
      return Buffer.alloc(0);
    }
  }

  function appendNotice(text: string): void {
    // It may repeat what a program or a vendor has said, which could else move a viewer's cursor.
    const line = stripAnsi(text)
      .replace(/\s*\n\s*/g, ' ')
      .replace(/\p{Cc}/gu, '');
    take({ text: Buffer.from(`[gamekeeper] ${line}\r\n`), count: 1 });
  }

  function write(batch: ConsoleBatch): void {
    try {
      if (file.append(batch, batch.at)) diskFailed = false;
    } catch (error) {
      // The console goes on without its log: the game must not stop for it. Said once, until it works again.
      if (!diskFailed)
        appendNotice(`The console log cannot be written (${reasonOf(error)}); the console goes on without it.`);
      diskFailed = true;
    }
  }

  async function readAfter(after: number, maxBytes: number): Promise<ConsoleBatch[]> {
    const recent = ring.read(after, maxBytes);
    if (recent) return recent;
    const older = await file.read(after, maxBytes);
    // What the disk had no room for may be in the ring, at whose beginning nothing is missing in the file then.
    const oldest = older[0]?.firstSeq ?? Number.POSITIVE_INFINITY;
    if (ring.firstSeq === undefined || oldest <= ring.firstSeq) return older;
    return afterGap(after, ring.read(ring.firstSeq - 1, maxBytes) ?? []);
  }

  async function readTail(count: number): Promise<ConsoleBatch[]> {
    const batches: ConsoleBatch[] = [];
    for (let after = Math.max(0, lastSeq - count); after < lastSeq; ) {
      const more = await readAfter(after, READ_BYTES);
      const last = more.at(-1);
      if (!last) break;
      batches.push(...more);
      after = last.firstSeq + last.count - 1;
    }
    return batches;
  }

  return {
    counts: () => ({ lines: lineCount, bytes: byteCount, redactions: redactor.redactions }),
    append(bytes) {
      byteCount += bytes.length;
      take(splitter.push(bytes));
    },
    endOfOutput: () => take(splitter.flush()),
    appendNotice,
    hideSecrets(more) {
      const known = secrets.size;
      for (const secret of more) if (secret !== '') secrets.add(secret);
      if (secrets.size > known) redactor.hideSecrets([...secrets]);
    },
    setRedaction(redaction) {
      redactor.setOwner(ownerRules(redaction));
      showSoon();
    },
    redact: (text) => redactor.redactText(text),
    async lastLines(count) {
      flush();
      const batches = await readTail(count);
      return batches.flatMap(({ text }) => plainLines(text)).slice(-count);
    },
    async search(text, limit) {
      flush();
      const wanted = text.toLowerCase();
      const matches = (line: string) => line.toLowerCase().includes(wanted);
      const before = ring.firstSeq ?? Number.POSITIVE_INFINITY;
      // What the disk had no room for is here only.
      const recent = ring.batches.flatMap((batch) => plainLines(batch.text).filter(matches)).slice(-limit);
      if (recent.length === limit) return recent;
      const older = await file.search((line) => matches(stripAnsi(line)), { before, limit: limit - recent.length });
      return [...older.map((line) => stripAnsi(line)), ...recent];
    },
    async read(query) {
      return encodeBatches(await ('tail' in query ? readTail(query.tail) : readAfter(query.after, query.maxBytes)));
    },
    onBatch(listener) {
      listeners.add(listener);
      // The newcomer has not seen it yet.
      shown = Buffer.alloc(0);
      showSoon();
      return () => listeners.delete(listener);
    },
    async close() {
      take(splitter.flush());
      flush();
      forgetToShow();
      file.close();
    },
  };
}

function ownerRules({ patterns, exceptions }: OwnRedaction): OwnerRules {
  const compiled = (sources: readonly string[]) => sources.map((source) => new RegExp(source, 'u'));
  return { patterns: compiled(patterns), exceptions: compiled(exceptions) };
}

/** Lines that the disk had no room for are gone once they have left the ring. */
function afterGap(after: number, [first, ...rest]: ConsoleBatch[]): ConsoleBatch[] {
  return first ? [{ ...first, skipped: Math.max(0, first.firstSeq - after - 1) }, ...rest] : [];
}

function reasonOf(error: unknown): string {
  return errorCode(error) ?? 'unknown reason';
}

function plainLines(text: Uint8Array): string[] {
  const lines = stripAnsi(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString()).split('\r\n');
  return lines.slice(0, -1);
}

/** The instance's own key for pseudonyms: made once, so that names stay the same over restarts, and never shown. */
async function pseudonymKey(file: string): Promise<Buffer> {
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
