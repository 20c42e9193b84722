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
const TIMED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;

/** Reads a whole log, whose oldest files may be gone; each file's name must be the number of the line that follows the file before. */
export function readConsole(home: string, id: string): ConsoleOnDisk {
  const folder = path.join(home, 'logs/instances', id);
  const found: ConsoleOnDisk = { first: 1, texts: [], faults: [] };
  for (const name of readdirSync(folder).sort()) {
    const first = FILE_NAME.exec(name)?.[1];
    if (first === undefined) continue;
    if (found.texts.length === 0) found.first = Number(first);
    const due = found.first + found.texts.length;
    if (Number(first) !== due) found.faults.push(`${name} where line ${due} was due`);
    const content = readFileSync(path.join(folder, name), 'utf8');
    if (content !== '' && !content.endsWith('\n')) found.faults.push(`${name} ends within a line`);
    for (const line of content.split('\n').slice(0, -1)) {
      const time = TIMED.exec(line)?.[0];
      if (time === undefined) found.faults.push(`line ${found.first + found.texts.length} has no time: ${line}`);
      found.texts.push(line.slice(time?.length ?? 0));
    }
  }
  return found;
}
