// @ts-check
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** How often to check whether npm's shell still lives, milliseconds. */
const PARENT_CHECK_MS = 250;

/**
 * Runs a program until it exits, in this terminal unless `options.stdio` differs. Passes on signals that only this process gets. The end of npm's
 * shell counts as SIGTERM.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} the exit code, or 128 plus the signal's number as in a shell
 * @throws {Error} if it cannot be started
 */
export function runProgram(program, args, options) {
  const child = spawn(program, args, { stdio: 'inherit', ...options });

  /** @param {NodeJS.Signals} signal */
  const passOn = (signal) => {
    // A terminal sends Ctrl-C to all processes in the foreground, so the child has it already.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, passOn);

  // npm signals only the shell that runs a script, and that shell dies without passing the signal on.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, PARENT_CHECK_MS);
  if (process.env.npm_lifecycle_event === undefined) clearInterval(watch);

  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`Cannot run ${program}: ${cause.message}`, { cause })));
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  }).finally(() => {
    for (const signal of signals) process.off(signal, passOn);
    clearInterval(watch);
  });
}
