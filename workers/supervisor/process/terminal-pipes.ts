import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, statfsSync, unlinkSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { POSITION_BYTES, type SpoolFiles } from './output-spool.ts';

const run = promisify(execFile);

const { O_RDONLY, O_WRONLY, O_RDWR, O_NONBLOCK, O_CREAT, O_EXCL } = constants;

/** A file system in memory (shm_overview(7)), also in most containers. */
const MEMORY = '/dev/shm';
/** The type of a tmpfs (statfs(2)). Elsewhere, what nothing is hidden in yet could reach a disk. */
const TMPFS = 0x01021994;

/** Descriptors between a game's terminal and its supervisor (terminal-holder.ts). Ours of the pipes are non-blocking. */
export interface TerminalPipes {
  /** Tells that the game has printed something. */
  output: { ours: number; holders: number };
  /** What is typed. The holder can write as well, so that the pipe does not end with a supervisor. */
  input: { ours: number; holders: number };
  /** What the game has printed. */
  spool: SpoolFiles;
}

/**
 * Creates the pipes and the spool of one game. The pipes are made by mkfifo(1), because what Node.js creates for its children are sockets,
 * which another process cannot open in /proc/<pid>/fd. When this resolves, all names are gone again. Throws if that fails, for example
 * without mkfifo, or if `memory` is full or no tmpfs.
 */
export async function createTerminalPipes(file: string, memory = MEMORY): Promise<TerminalPipes> {
  const [output, input] = [`${file}.output`, `${file}.input`];
  await Promise.all([rm(output, { force: true }), rm(input, { force: true })]);
  const opened: number[] = [];
  const open = (name: string, flags: number) => {
    const descriptor = openSync(name, flags, 0o600);
    opened.push(descriptor);
    return descriptor;
  };
  const openInMemory = () => {
    const name = path.join(memory, `gamekeeper-${randomUUID()}`);
    const descriptor = open(name, O_RDWR | O_CREAT | O_EXCL);
    unlinkSync(name);
    return descriptor;
  };
  try {
    if (statfsSync(memory).type !== TMPFS) throw new Error(`${memory} is not in memory`);
    await run('mkfifo', ['-m', '600', output, input]);
    const spool = { output: openInMemory(), position: openInMemory() };
    writeSync(spool.position, Buffer.alloc(POSITION_BYTES, 0xff)); // reserves a page; this is NaN
    // In this order: an end for writing can be opened once there is one for reading.
    return {
      spool,
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

export function closeTerminalPipes({ output, input, spool }: TerminalPipes): void {
  for (const descriptor of [output.ours, output.holders, input.ours, input.holders, spool.output, spool.position])
    closeSync(descriptor);
}
