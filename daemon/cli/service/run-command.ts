import { spawn } from 'node:child_process';
import { Failure } from '../api/failure.ts';
import { isUninterrupted } from '../terminal/uninterrupted.ts';
import type { CommandLine } from './service-plan.ts';

/** A service manager that starts or ends something may take its time. Milliseconds. */
const COMMAND_TIMEOUT_MS = 120_000;

export interface CommandResult {
  ok: boolean;
  stdout: string;
  /** What it complained of; that it is not there at all, for a program that is not. */
  complaint: string;
}

/** Runs a program of the system to its end; it is never shown to a shell. */
export function runCommand([program, ...args]: CommandLine): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.timeout(COMMAND_TIMEOUT_MS),
      windowsHide: true,
      // Ctrl-C and a terminal's end reach all that run on it, and would end this one. Otherwise it stays there, to ask for a password.
      detached: isUninterrupted() && process.platform !== 'win32',
    });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    child.once('error', (error: NodeJS.ErrnoException) => {
      const missing = error.code === 'ENOENT' ? `there is no program "${program}" on the PATH` : error.message;
      resolve({ ok: false, stdout: '', complaint: missing });
    });
    child.once('close', (code, signal) => {
      const why = said.stderr.trim() || `it ended with ${signal ?? `exit code ${code}`}`;
      resolve({ ok: code === 0, stdout: said.stdout.trim(), complaint: code === 0 ? '' : why });
    });
  });
}

/** The same for what has to work. Throws Failure with the program's own words. */
export async function mustRun(line: CommandLine): Promise<void> {
  const { ok, complaint } = await runCommand(line);
  if (!ok) throw new Failure(`"${line.join(' ')}" failed: ${complaint}`);
}
