import { writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createRclone, RcloneFailure } from '../../../../../../workers/jobs/backups/stores/rclone/rclone-program.ts';
import { temporaryFolder } from '../../../../../support/machine/temporary-folder.ts';

const { signal } = new AbortController();

/** A program that prints this to its log and fails. */
async function failureOf(t: Test, script: string, onLog?: (line: Record<string, unknown>) => void): Promise<Error> {
  const program = path.join(temporaryFolder(t), 'rclone');
  writeFileSync(program, `#!/bin/sh\n{ ${script}; } >&2\nexit 1\n`, { mode: 0o755 });
  const rclone = createRclone({ name: 'cloud', kind: 'rclone', remote: 'cloud:', program });
  try {
    await rclone.run([], { signal, ...(onLog && { onLog }) });
  } catch (error) {
    if (error instanceof RcloneFailure) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}

t.test('a line of any length is cut, and does not hide the error after it', async (t) => {
  const long = "head -c 30000000 /dev/zero | tr '\\0' x";
  const { message } = await failureOf(t, `${long}; echo; echo '{"level":"error","msg":"the bucket is gone"}'`);
  t.match(message, /^x{1000}… the bucket is gone$/);
  t.match((await failureOf(t, `echo no; ${long}`)).message, /^no x{1000}…$/, 'also one that does not end');
});

t.test('lines that arrive in pieces are read as a whole, and tokens are removed', async (t) => {
  const logged: unknown[] = [];
  const script = `printf '{"level":"info",'; sleep 0.1; printf '"msg":"1"}\\r\\n{"level":"error","msg":"at https://a:b@c.d/e?token=f"}'`;
  const { message } = await failureOf(t, script, ({ msg }) => logged.push(msg));
  t.same(logged, ['1', 'at https://a:b@c.d/e?token=f']);
  t.equal(message, 'at https://c.d');
});
