import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { JavaStart } from '../../../shared/domain/software/definition.ts';
import type { Release } from './sources/source.ts';

/** Options of the owner's for the JVM, beside an arguments file (Forge and NeoForge make it and never touch it again). */
const OWN_OPTIONS = 'user_jvm_args.txt';

export interface JavaArguments {
  javaOptions?: string[];
  start: string[];
}

/** What Java is told so that it starts the program: the first of `candidates` that is in the folder. `undefined`: none is. */
export async function findStart(
  candidates: readonly JavaStart[],
  directory: string,
  release: Pick<Release, 'version' | 'build'>,
): Promise<JavaArguments | undefined> {
  for (const candidate of candidates) {
    const isJar = 'jar' in candidate;
    const name = fillIn(isJar ? candidate.jar : candidate.argumentsFile, release);
    if (!(await isFile(path.join(directory, name)))) continue;
    if (isJar) return { start: ['-jar', name] };
    const own = await isFile(path.join(directory, OWN_OPTIONS));
    return { ...(own && { javaOptions: [`@${OWN_OPTIONS}`] }), start: [`@${name}`] };
  }
  return undefined;
}

/** `{version}`, `{build}`, `{os}` and, in arguments, `{directory}`. */
export function fillIn(
  template: string,
  { version, build, directory = '' }: { version: string; build: string; directory?: string },
): string {
  const values: Record<string, string> = {
    version,
    build,
    directory,
    os: process.platform === 'win32' ? 'win' : 'unix',
  };
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

async function isFile(file: string): Promise<boolean> {
  return lstat(file).then(
    (stats) => stats.isFile(),
    () => false, // not there
  );
}
