import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';

/** A kernel reads no more of a script's first line. */
const SHEBANG_BYTES = 256;

/**
 * The absolute path of what will be executed: an absolute name as it is, one with a slash relative to the folder, a bare one from the
 * folder's environment's PATH, and failing that from the folder itself. Everything that would make the start fail is said here, before
 * a process exists. Throws `launch_failed`.
 */
export async function findProgram(
  name: string,
  { cwd, searchPath }: { cwd: string; searchPath: string },
): Promise<string> {
  const candidates = candidatesFor(name, { cwd, searchPath });
  for (const candidate of candidates) {
    const stats = await stat(candidate).catch(() => undefined); // a candidate that is not there: the next one
    if (stats?.isFile()) return requireExecutable(candidate, name);
    if (stats?.isDirectory() && candidates.length === 1) throw failed(`${name} is a folder, not a program.`, candidate);
  }
  throw failed(
    candidates.length === 1
      ? `${name} does not exist (looked for ${candidates[0]}).`
      : `${name} is neither on the PATH nor in the server's folder.`,
    candidates[0] ?? name,
  );
}

function candidatesFor(name: string, { cwd, searchPath }: { cwd: string; searchPath: string }): string[] {
  const isPath = name.includes('/') || (process.platform === 'win32' && name.includes('\\'));
  const names =
    process.platform === 'win32' && path.extname(name) === ''
      ? [`${name}.exe`, `${name}.cmd`, `${name}.bat`, name]
      : [name];
  if (isPath) return names.map((one) => path.resolve(cwd, one));
  const folders = searchPath.split(path.delimiter).filter((folder) => folder !== '');
  return [...folders, cwd].flatMap((folder) => names.map((one) => path.resolve(cwd, folder, one)));
}

async function requireExecutable(file: string, name: string): Promise<string> {
  try {
    await access(file, constants.X_OK);
  } catch (cause) {
    throw new GamekeeperError('launch_failed', `${name} may not be executed.`, {
      resolution: `Make it executable: chmod +x ${file}`,
      cause,
    });
  }
  const interpreter = await interpreterOf(file);
  if (interpreter !== undefined && !(await exists(interpreter)))
    throw failed(`${name} is a script for ${interpreter}, which does not exist.`, interpreter);
  return file;
}

/** The absolute path behind `#!`; `undefined` for what is no script, or is read by its own name. */
async function interpreterOf(file: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const handle = await open(file).catch(() => undefined); // executable but not readable is allowed
  if (!handle) return undefined;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SHEBANG_BYTES), 0, SHEBANG_BYTES, 0);
    return /^#![ \t]*(\/[^\s]*)/.exec(buffer.toString('latin1', 0, bytesRead))?.[1];
  } finally {
    await handle.close();
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false, // whatever the reason, the kernel would not find it either
  );
}

function failed(detail: string, file: string): GamekeeperError {
  return new GamekeeperError('launch_failed', detail, {
    resolution: `Check the instance's launch command, and that ${file} exists.`,
  });
}
