import { spawn } from 'node:child_process';
import { Failure } from '../api/failure.ts';
import { isUninterrupted } from '../terminal/uninterrupted.ts';
import type { CommandLine } from './service-plan.ts';

/** Service managers may take long to start or stop something. Milliseconds. */
const COMMAND_TIMEOUT_MS = 120_000;

export interface CommandResult {
  ok: boolean;
  stdout: string;
  /** Why it failed; empty if it did not. */
  complaint: string;
}

/** Runs a system program until it exits, without a shell. */
export function runCommand([program, ...args]: CommandLine): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.timeout(COMMAND_TIMEOUT_MS),
      windowsHide: true,
      // Ctrl-C and a closed terminal must not end it. Otherwise it keeps the terminal, in case it asks for a password.
      detached: isUninterrupted() && process.platform !== 'win32',
    });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    child.once('error', (error: NodeJS.ErrnoException) => {
      const missing = error.code === 'ENOENT' ? `the program "${program}" is not on the PATH` : error.message;
      resolve({ ok: false, stdout: '', complaint: missing });
    });
    child.once('close', (code, signal) => {
      const why = said.stderr.trim() || `it ended with ${signal ?? `exit code ${code}`}`;
      resolve({ ok: code === 0, stdout: said.stdout.trim(), complaint: code === 0 ? '' : why });
    });
  });
}

/** Runs a program and throws a Failure with its own message if it fails. */
export async function mustRun(line: CommandLine): Promise<void> {
  const { ok, complaint } = await runCommand(line);
  if (!ok) throw new Failure(`"${line.join(' ')}" failed: ${complaint}`);
}
