import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const { O_RDONLY, O_WRONLY, O_RDWR, O_NONBLOCK } = constants;

/** Descriptors of the two pipes between a game's terminal and its supervisor (terminal-holder.ts). Ours are non-blocking. */
export interface TerminalPipes {
  /** What the game prints. */
  output: { ours: number; holders: number };
  /** What is typed. The holder can write as well, so that the pipe does not end with a supervisor. */
  input: { ours: number; holders: number };
}

/**
 * Creates the pipes of one game. They are made by mkfifo(1), because what Node.js creates for its children are sockets, which another
 * process cannot open in /proc/<pid>/fd. When this resolves, their names are gone again. Throws if that fails, for example without mkfifo.
 */
export async function createTerminalPipes(file: string): Promise<TerminalPipes> {
  const [output, input] = [`${file}.output`, `${file}.input`];
  await Promise.all([rm(output, { force: true }), rm(input, { force: true })]);
  const opened: number[] = [];
  const open = (name: string, flags: number) => {
    const descriptor = openSync(name, flags);
    opened.push(descriptor);
    return descriptor;
  };
  try {
    await run('mkfifo', ['-m', '600', output, input]);
    // In this order: an end for writing can be opened once there is one for reading.
    return {
      output: { ours: open(output, O_RDONLY | O_NONBLOCK), holders: open(output, O_WRONLY) },
      input: { holders: open(input, O_RDWR), ours: open(input, O_WRONLY | O_NONBLOCK) },
    };
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor);
    throw error;
  } finally {
    await Promise.all([rm(output, { force: true }), rm(input, { force: true })]);
  }
}

export function closeTerminalPipes({ output, input }: TerminalPipes): void {
  for (const descriptor of [output.ours, output.holders, input.ours, input.holders]) closeSync(descriptor);
}
