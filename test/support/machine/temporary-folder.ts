import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Test } from 'tap';

/** A new folder that goes with the test. Short, unlike `t.testdir()`: a socket path may have 103 bytes. */
export function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
