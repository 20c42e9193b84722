import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** A shell reports the end by a signal as this plus the signal's number. */
const SIGNAL_STATUS = 128;

/** Runs another of our programs in this terminal, with these flags of Node.js, passes signals on to it, and ends this process with its exit status. */
export async function runProgram(
  entry: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<never> {
  const child = spawn(process.execPath, [...flags, entry, ...args], { stdio: 'inherit' });
  const passOn = (signal: NodeJS.Signals) => {
    // A terminal sends Ctrl-C to every process in the foreground, the child included.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, passOn);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  process.exit(code ?? SIGNAL_STATUS + constants.signals[signal ?? 'SIGKILL']);
}
