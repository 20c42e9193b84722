import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '../../../shared/node/files/is-missing.ts';
import { GAME_FOLDERS } from '../../../shared/node/processes/find-program.ts';
import { UnusableProgram } from './unusable-program.ts';

/** The kernel reads no more of a script's first line. */
const SHEBANG_BYTES = 256;

/**
 * Returns the absolute path of the program: an absolute name as it is, a name with a slash relative to the folder, a bare name from the
 * search path or else from the folder. Throws UnusableProgram for everything that would make the start fail later.
 */
export async function findProgram(
  name: string,
  { cwd, searchPath }: { cwd: string; searchPath: string },
): Promise<string> {
  const candidates = candidatesFor(name, { cwd, searchPath });
  for (const candidate of candidates) {
    const stats = await stat(candidate).catch(() => undefined); // missing: the next candidate
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

/** Returns the first of the programs that the machine has. Throws UnusableProgram, saying how to get one. */
export async function findSystemProgram(
  { names, missing }: { names: readonly string[]; missing: string },
  searchPath: string,
): Promise<string> {
  const folders = [...searchPath.split(path.delimiter).filter(path.isAbsolute), ...GAME_FOLDERS];
  for (const name of names)
    for (const folder of folders) {
      const file = path.join(folder, name);
      const stats = await stat(file).catch(() => undefined); // missing: the next candidate
      if (stats?.isFile()) return requireExecutable(file, name);
    }
  throw new UnusableProgram(`This machine does not have ${names.join(' or ')}.`, { resolution: missing });
}

/**
 * Checks that the jar in Java's arguments exists. Without one, Java loads a class. `isInstalled`: a start installs what is missing. Throws
 * UnusableProgram.
 */
export async function requireJar(
  args: readonly string[],
  { cwd, isInstalled }: { cwd: string; isInstalled: boolean },
): Promise<void> {
  // After any other word, such as a class, -jar would be the server's own. More of Java's options may follow it.
  const word = args.findIndex((arg) => !arg.startsWith('-'));
  const jar = args[word];
  if (jar === undefined || jar.startsWith('@') || !args.slice(0, word).includes('-jar')) return;
  const file = path.resolve(cwd, jar);
  // Java itself says why it cannot read one.
  const isGone = await isMissing(file).catch(() => false);
  if (!isGone) return;
  throw new UnusableProgram(`Its ${jar} is missing.`, {
    resolution: isInstalled
      ? 'Start the server: Gamekeeper installs it again.'
      : `Put it back as ${file}, or correct the launch command of the instance.`,
  });
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
    throw new UnusableProgram(`${name} is not executable.`, {
      resolution: `Make it executable: chmod +x ${file}`,
      cause,
    });
  }
  const interpreter = await interpreterOf(file);
  if (interpreter !== undefined && !(await exists(interpreter)))
    throw failed(`${name} is a script for ${interpreter}, which does not exist.`, interpreter);
  return file;
}

/** Returns the absolute path after `#!`, or `undefined` if the file is no script. */
async function interpreterOf(file: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const handle = await open(file).catch(() => undefined); // a program may be executable but not readable
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
    () => false, // for any reason: the kernel would not find it either
  );
}

function failed(detail: string, file: string): UnusableProgram {
  return new UnusableProgram(detail, {
    resolution: `Check the instance's launch command, and that ${file} exists.`,
  });
}
