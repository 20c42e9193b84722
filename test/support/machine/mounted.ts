import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { Test } from 'tap';

/** Mounts something at `target`, with the options of mount(8), until the test ends. Returns false if this user may not. */
export function mounted(t: Test, target: string, ...options: string[]): boolean {
  mkdirSync(target, { recursive: true });
  try {
    execFileSync('mount', [...options, target], { stdio: 'ignore' });
  } catch {
    t.comment('left out: this user may not mount anything');
    return false;
  }
  t.teardown(() => execFileSync('umount', ['-l', target]));
  return true;
}
