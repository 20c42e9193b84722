import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** Gives a data directory this machine's Java as its Java 17, which saves packing and unpacking one. */
export function useJavaOfThisMachine(home: string): void {
  const java = realpathSync(execFileSync('which', ['java'], { encoding: 'utf8' }).trim());
  mkdirSync(path.join(home, 'runtimes'), { recursive: true });
  symlinkSync(path.dirname(path.dirname(java)), path.join(home, 'runtimes/java-17'));
}
