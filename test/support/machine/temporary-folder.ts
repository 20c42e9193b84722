import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Test } from 'tap';

/** Creates a folder that is removed at the end of the test. Its path is short, unlike `t.testdir()`: a socket path may have only 103 bytes. */
export function temporaryFolder(t: Pick<Test, 'teardown'>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
