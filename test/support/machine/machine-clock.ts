import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import { requireProgram } from './system-packages.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A clock that a test sets for all processes that have its environment, as an administrator sets a machine's: timers do not notice. */
export interface MachineClock {
  readonly env: Record<string, string>;
  /** How far it is ahead of the true time, such as `+1d`, `-2h`, `+0`. */
  set(offset: string): void;
}

/** Needs libfaketime; `undefined` where it is missing, and the test is left out. */
export function machineClock(t: Test): MachineClock | undefined {
  if (!requireProgram(t, 'faketime', 'faketime')) return undefined;
  const file = path.join(temporaryFolder(t), 'offset');
  const set = (offset: string) => {
    writeFileSync(`${file}.new`, offset);
    renameSync(`${file}.new`, file); // who looks just now must not find it empty
  };
  set('+0');
  const said = execFileSync('faketime', ['-f', '+0', 'env'], { encoding: 'utf8' });
  return {
    set,
    env: {
      LD_PRELOAD: /^LD_PRELOAD=(.*)$/m.exec(said)?.[1] ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      // Times of files are the true ones, as those of what was written before the clock was set are.
      NO_FAKE_STAT: '1',
    },
  };
}
