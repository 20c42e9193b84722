import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { JavaStart, SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { Release } from './sources/source.ts';

/** The owner's options for the JVM. Forge and NeoForge create the file once and never change it. */
const OWN_OPTIONS = 'user_jvm_args.txt';

export interface JavaArguments {
  javaOptions?: string[];
  start: string[];
}

export interface Start extends Partial<JavaArguments> {
  java?: string;
  /** Absolute path of a program that needs no Java. */
  program?: string;
}

/** Returns how to start a release in `directory`, or `undefined` if its program is missing. */
export async function startOf(
  { launch }: SoftwareDefinition,
  directory: string,
  release: Pick<Release, 'version' | 'build'>,
): Promise<Start | undefined> {
  if (launch.type === 'java') return findStart(launch.start, directory, release);
  if (launch.type !== 'installed') return {};
  const name = launch.program[process.platform];
  const found = name === undefined ? undefined : await findStart([{ jar: name }], directory, release);
  return found && { program: path.join(directory, fillIn(name!, release)) };
}

/** Like `startOf`, for the imported program `name`, which Gamekeeper did not install. */
export async function importedStart(
  { launch }: SoftwareDefinition,
  directory: string,
  { name, version }: { name: string; version: string },
): Promise<Start | undefined> {
  const candidate = name.endsWith('.txt') ? { argumentsFile: name } : { jar: name };
  const found = await findStart([candidate], directory, { version, build: '' });
  return found && launch.type === 'installed' ? { program: path.join(directory, name) } : found;
}

/** Returns Java's arguments for the first of `candidates` that is in the folder, or `undefined`. */
async function findStart(
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

/** Replaces `{version}`, `{build}`, `{os}` and, in arguments, `{directory}`. */
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
