import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import { requireProgram } from './system-packages.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A clock that a test sets for all processes with its environment, as an administrator sets the machine's clock. Timers are not affected. */
export interface MachineClock {
  readonly env: Record<string, string>;
  /** Sets the difference to the real time, such as `+1d`, `-2h`, `+0`. */
  set(offset: string): void;
}

/** Needs libfaketime. Returns `undefined` if it is missing; then the test must be skipped. */
export function machineClock(t: Test): MachineClock | undefined {
  if (!requireProgram(t, 'faketime', 'faketime')) return undefined;
  const file = path.join(temporaryFolder(t), 'offset');
  const set = (offset: string) => {
    writeFileSync(`${file}.new`, offset);
    renameSync(`${file}.new`, file); // A process must never read an empty file.
  };
  set('+0');
  const environment = execFileSync('faketime', ['-f', '+0', 'env'], { encoding: 'utf8' });
  return {
    set,
    env: {
      LD_PRELOAD: /^LD_PRELOAD=(.*)$/m.exec(environment)?.[1] ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      // File times stay real, because files from before the change have real times.
      NO_FAKE_STAT: '1',
    },
  };
}
