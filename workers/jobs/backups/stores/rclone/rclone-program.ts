import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { RcloneStoreSettings } from '../../../../../shared/schema/backup-settings.ts';
import { refused, unavailable } from '../store-error.ts';

/** Time from SIGTERM to SIGKILL. Milliseconds. */
const END_MS = 5_000;
/** A longer line is cut: an error says what happened at its beginning. UTF-16 units. */
const MAX_LINE = 16 * 1024;
/** The same of a line that is no JSON, and of a message. */
const MAX_COMPLAINT = 1_000;

/** Exit codes for a folder or file that does not exist (https://rclone.org/docs/#exit-code). */
export const NOT_FOUND_CODES: readonly number[] = [3, 4];

/** rclone's own error message. Users see an explanation instead (rclone-store.ts). */
export class RcloneFailure extends Error {
  override name = 'RcloneFailure';
  readonly exitCode: number | null;

  constructor(message: string, exitCode: number | null) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface RcloneRun {
  signal: AbortSignal;
  /** Called with every line of its JSON log. */
  onLog?: (line: Record<string, unknown>) => void;
}

/** Runs rclone without a shell, and without secrets in its arguments, which every user of the machine can read. */
export interface Rclone {
  run(args: readonly string[], how: RcloneRun): Promise<string>;
  /** Yields its output. Throws RcloneFailure. */
  stream(args: readonly string[], how: RcloneRun): AsyncGenerator<Buffer, void, undefined>;
}

export function createRclone({ name, program = 'rclone', config }: RcloneStoreSettings): Rclone {
  const common = ['--ask-password=false', '--retries', '1', '--use-json-log'];
  if (config !== undefined) common.push('--config', config);

  async function* stream(args: readonly string[], { signal, onLog }: RcloneRun): AsyncGenerator<Buffer> {
    signal.throwIfAborted();
    const child = spawn(program, [...args, ...common], { stdio: ['ignore', 'pipe', 'pipe'], env: environment() });
    const started = once(child, 'spawn');
    const ended = exitOf(child);
    const complaints = readLog(child.stderr, onLog);
    const end = () => endChild(child);
    signal.addEventListener('abort', end, { once: true });
    try {
      await started.catch((error: unknown) => {
        throw notInstalled(name, program, error);
      });
      yield* child.stdout as AsyncIterable<Buffer>;
      const exitCode = await ended;
      signal.throwIfAborted();
      if (exitCode !== 0) throw new RcloneFailure((await complaints).join(' '), exitCode);
    } finally {
      signal.removeEventListener('abort', end);
      // A caller that has read enough does not wait for the rest, and one that gives up must not leave it running.
      end();
      await ended;
    }
  }

  return {
    stream,
    async run(args, how) {
      const parts: Buffer[] = [];
      for await (const chunk of stream(args, how)) parts.push(chunk);
      return Buffer.concat(parts).toString('utf8');
    },
  };
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** Returns `null` if a signal ended it, or if it could not be started. */
async function exitOf(child: Child): Promise<number | null> {
  try {
    await once(child, 'close');
  } catch {
    return null; // it could not be started, which `started` reports
  }
  return child.exitCode;
}

function endChild(child: Child): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
  child.once('close', () => clearTimeout(timer));
}

async function readLog(stderr: Readable, onLog: RcloneRun['onLog']): Promise<string[]> {
  const complaints: string[] = [];
  for await (const line of cutLines(stderr)) {
    const entry = parse(line);
    if (entry) onLog?.(entry);
    const isComplaint = !entry || entry.level === 'error' || entry.level === 'critical';
    if (isComplaint && complaints.length < 20) complaints.push(shown(entry ? String(entry.msg) : line));
  }
  return complaints;
}

/** Yields the lines of a program, which may never end one. */
async function* cutLines(input: Readable): AsyncGenerator<string> {
  let line = '';
  for await (const text of input.setEncoding('utf8') as AsyncIterable<string>) {
    const [rest = '', ...next] = text.split('\n');
    line = (line + rest).slice(0, MAX_LINE);
    for (const one of next) {
      yield line.trimEnd();
      line = one.slice(0, MAX_LINE);
    }
  }
  if (line !== '') yield line;
}

/** Cut after its tokens are gone, or the part of one could stay. */
function shown(complaint: string): string {
  const text = withoutTokens(complaint);
  return text.length > MAX_COMPLAINT ? `${text.slice(0, MAX_COMPLAINT)}…` : text;
}

/** Addresses of some services contain a token, and errors get into our log. */
function withoutTokens(text: string): string {
  return text.replace(/(https?:\/\/)(?:[^\s/@"]*@)?([^\s/?"]*)[^\s"]*/g, '$1$2');
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined; // a program that cannot start writes plain text
  }
}

/** All variables but Gamekeeper's own: rclone uses RCLONE_*, HOME and others. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('GAMEKEEPER_')));
}

function notInstalled(store: string, program: string, cause: unknown) {
  const { code } = cause as { code?: string };
  if (code !== 'ENOENT' && code !== 'EACCES')
    return unavailable(store, `cannot start the program rclone (${code}).`, { cause });
  return refused(store, `needs the program rclone, which was not found: ${program}.`, {
    resolution:
      'Install it (https://rclone.org/install/; on Debian: apt-get install rclone), or set its path as "program".',
    cause,
  });
}
