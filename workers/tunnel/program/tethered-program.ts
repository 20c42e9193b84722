import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { showUnprintable } from '../../../shared/domain/console/invisible-characters.ts';

/** From SIGTERM to SIGKILL, milliseconds. */
const GRACE_MS = 2_000;
/** How much of a program's last words is kept. */
const MOST_WORDS = 300;
const MOST_UNREAD = 64 * 1024;

/**
 * Runs a program that ends when this process ends, even by SIGKILL: then its input closes. Without that, a tunnel would stay open that nobody
 * knows of. Descriptor 3, because shells give programs in the background no input.
 */
const TETHER =
  'exec 3<&0; "$@" </dev/null 3<&- & program=$!; (cat <&3 >/dev/null; kill "$program" 2>/dev/null) & exec 3<&-; wait "$program"';

export interface TetheredProgram {
  /** Resolves to how it ended. */
  readonly ended: Promise<string>;
  /** The last line that it printed, without secrets; empty if there was none. */
  lastWords(): string;
  end(): Promise<void>;
}

/** Throws if it cannot be started. `secrets` never appear in its last words. */
export async function startProgram(
  program: string,
  args: readonly string[],
  { secrets }: { secrets: readonly string[] },
): Promise<TetheredProgram> {
  const isWindows = process.platform === 'win32';
  const child = isWindows
    ? spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
    : spawn('/bin/sh', ['-c', TETHER, 'sh', program, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  await once(child, 'spawn');
  child.stdin?.on('error', () => undefined); // it has ended, and 'exit' follows
  const words = lastLineOf(child);
  const ended = Promise.withResolvers<string>();
  child.once('exit', (code, signal) => ended.resolve(signal ?? `status ${code}`));
  return {
    ended: ended.promise,
    lastWords: () => withoutSecrets(words(), secrets),
    async end() {
      if (isWindows) child.kill();
      child.stdin?.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      await ended.promise;
      clearTimeout(timer);
    },
  };
}

function lastLineOf({ stdout, stderr }: ChildProcess): () => string {
  let last = '';
  for (const stream of [stdout, stderr]) {
    let unread = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (unread + text).split('\n');
      unread = lines.pop()!.slice(-MOST_UNREAD);
      last = lines.findLast((line) => line.trim() !== '') ?? last;
    });
    stream?.on('end', () => {
      if (unread.trim() !== '') last = unread;
    });
  }
  return () => last;
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, '********');
  return showUnprintable(clean.trim()).slice(0, MOST_WORDS);
}
