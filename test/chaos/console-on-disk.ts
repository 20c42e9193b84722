import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A console as its log files have it. */
export interface ConsoleOnDisk {
  /** Number of the oldest line that has not been rotated away. */
  first: number;
  /** From that line on, without their times. */
  texts: string[];
  faults: string[];
}

const FILE_NAME = /^console-(\d{15})\.log$/;
/** As workers/supervisor/console/log/log-file.ts keeps them: another file is begun for nothing but size. */
const FILE_BYTES = 16 * 1024 * 1024;
const FILES = 8;
const TIMED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;

/**
 * Reads a whole log. Each file's name must be the number of the line that follows the file before; another may have been begun only when that
 * one was full, and the oldest may be gone only when there were too many.
 */
export function readConsole(home: string, id: string): ConsoleOnDisk {
  const folder = path.join(home, 'logs/instances', id);
  const found: ConsoleOnDisk = { first: 1, texts: [], faults: [] };
  const names = readdirSync(folder)
    .filter((name) => FILE_NAME.test(name))
    .sort();
  for (const name of names) {
    const first = FILE_NAME.exec(name)?.[1];
    if (found.texts.length === 0) found.first = Number(first);
    const due = found.first + found.texts.length;
    if (Number(first) !== due) found.faults.push(`${name} where line ${due} was due`);
    const content = readFileSync(path.join(folder, name), 'utf8');
    if (name !== names.at(-1) && Buffer.byteLength(content) < FILE_BYTES) found.faults.push(`${name} was not full`);
    if (content !== '' && !content.endsWith('\n')) found.faults.push(`${name} ends within a line`);
    for (const line of content.split('\n').slice(0, -1)) {
      const time = TIMED.exec(line)?.[0];
      if (time === undefined) found.faults.push(`line ${found.first + found.texts.length} has no time: ${line}`);
      found.texts.push(line.slice(time?.length ?? 0));
    }
  }
  if (found.first !== 1 && names.length < FILES) found.faults.push(`the lines before ${found.first} are gone`);
  return found;
}
