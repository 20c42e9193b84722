// @ts-check
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs a program until it ends, in this terminal unless `options.stdio` says otherwise. Signals that reach only this
 * process are passed on.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} the exit code, or 128 plus the signal's number as a shell would say
 * @throws {Error} when it cannot be started
 */
export function runProgram(program, args, options) {
  const child = spawn(program, args, { stdio: 'inherit', ...options });

  /** @param {NodeJS.Signals} signal */
  const passOn = (signal) => {
    // A terminal sends Ctrl-C to every process in the foreground, the child included.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, passOn);

  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`Cannot run ${program}: ${cause.message}`, { cause })));
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  }).finally(() => {
    for (const signal of signals) process.off(signal, passOn);
  });
}
