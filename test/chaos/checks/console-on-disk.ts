import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The content of a console's log files. */
export interface ConsoleOnDisk {
  /** Number of the oldest line that has not been rotated away. */
  first: number;
  /** The lines from that one on, without their times. */
  texts: string[];
  faults: string[];
}

const FILE_NAME = /^console-(\d{15})\.log$/;
/** The limits of workers/supervisor/console/log/log-file.ts, which starts another file only when the last one is full. */
const FILE_BYTES = 16 * 1024 * 1024;
const FILES = 8;
const TIMED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /;

/**
 * Reads all log files of a console. The name of each file must be the number of its first line, a new file may start only after a full one,
 * and the oldest file may be missing only if there were too many.
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
    if (Number(first) !== due) found.faults.push(`${name} begins where line ${due} is expected`);
    const content = readFileSync(path.join(folder, name), 'utf8');
    if (name !== names.at(-1) && Buffer.byteLength(content) < FILE_BYTES) found.faults.push(`${name} was not full`);
    if (content !== '' && !content.endsWith('\n')) found.faults.push(`${name} ends with an incomplete line`);
    for (const line of content.split('\n').slice(0, -1)) {
      const time = TIMED.exec(line)?.[0];
      if (time === undefined) found.faults.push(`line ${found.first + found.texts.length} has no time: ${line}`);
      found.texts.push(line.slice(time?.length ?? 0));
    }
  }
  if (found.first !== 1 && names.length < FILES) found.faults.push(`the lines before ${found.first} are missing`);
  return found;
}
