import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { Release } from '../../startup/release.ts';
import { Failure } from '../api/failure.ts';

/** Usually a fifth of a second. On a machine that is swapping it may take this long. */
const DESCRIBE_TIMEOUT_MS = 20_000;

/** How a daemon is started. */
export interface DaemonProgram {
  node: string;
  entry: string;
}

/** A version to upgrade to. */
export interface Candidate extends Release, DaemonProgram {}

const release = z.object({
  version: z.string(),
  supervisors: z.object({ oldest: z.number(), newest: z.number() }),
  schema: z.number(),
  jobsSchema: z.number(),
});

/** Returns the version in a folder. Throws a Failure if there is none that can take over. */
export async function candidateIn(folder: string): Promise<Candidate> {
  const written = path.join(folder, 'dist', 'daemon', 'main.js');
  if (!existsSync(written))
    throw new Failure(
      `There is no built Gamekeeper in ${folder}: ${written} is missing.\nBuild it with: npm run build`,
    );
  const entry = realpathSync(written);
  // The Node that was installed with it, as for `npm start`.
  const own = path.join(folder, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const node = existsSync(own) ? realpathSync(own) : process.execPath;
  try {
    const { stdout } = await promisify(execFile)(node, [entry, '--describe'], { timeout: DESCRIBE_TIMEOUT_MS });
    return { node, entry, ...release.parse(JSON.parse(stdout)) };
  } catch (cause) {
    throw new Failure(
      `The Gamekeeper in ${folder} does not report what it is compatible with. It is too old, or broken.\n` +
        `Try: ${node} ${entry} --describe`,
      { cause },
    );
  }
}
