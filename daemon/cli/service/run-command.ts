import { execFile } from 'node:child_process';
import { Failure } from '../failure.ts';
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
    execFile(program, args, { timeout: COMMAND_TIMEOUT_MS, windowsHide: true }, (error, stdout, stderr) => {
      const missing = error?.code === 'ENOENT' ? `there is no program "${program}" on the PATH` : undefined;
      resolve({
        ok: error === null,
        stdout: stdout.trim(),
        complaint: missing ?? (stderr.trim() || error?.message || ''),
      });
    });
  });
}

/** The same for what has to work. Throws Failure with the program's own words. */
export async function mustRun(line: CommandLine): Promise<void> {
  const { ok, complaint } = await runCommand(line);
  if (!ok) throw new Failure(`"${line.join(' ')}" failed: ${complaint}`);
}
