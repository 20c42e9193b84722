import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { requireProgram } from './system-packages.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

/** A container, as podman would be told to run it. */
export interface ComposeContainer {
  image: string;
  env: Record<string, string>;
  envFiles: string[];
  networks: string[];
  /** What others on the network of the machine can reach. */
  ports: string[];
  /** Folders and files of the machine, and volumes, with where they are in the container. */
  mounts: string[];
  options: string[];
}

/** Resolves to the containers that podman-compose would start, by the names of their services; to `undefined` if it is not installed. */
export async function readCompose(
  t: Test,
  file: string,
  env: Record<string, string>,
): Promise<Map<string, ComposeContainer> | undefined> {
  if (!requireProgram(t, 'podman-compose', 'podman-compose')) return undefined;
  const folder = temporaryFolder(t);
  const [recorder, record] = [path.join(folder, 'podman'), path.join(folder, 'record')];
  writeFileSync(record, '');
  writeFileSync(recorder, recorderScript(record), { mode: 0o700 });
  const words = ['--podman-path', recorder, '--file', file, 'up', '--detach', '--no-build'];
  await run('podman-compose', words, { env: { ...process.env, ...env } });
  const calls = readFileSync(record, 'utf8').trim().split('\n').map(wordsOf);
  return new Map(calls.filter(([command]) => command === 'run').map(containerOf));
}

/** A script in place of podman, which writes down what it is told. */
function recorderScript(record: string): string {
  return `#!${process.execPath}
require('node:fs').appendFileSync(${JSON.stringify(record)}, JSON.stringify(process.argv.slice(2)) + '\\n');
if (process.argv[2] === '--version') console.log('podman version 4.3.1');
`;
}

function wordsOf(line: string): string[] {
  return JSON.parse(line) as string[];
}

function containerOf(options: string[]): [service: string, container: ComposeContainer] {
  const valuesOf = (...names: string[]) => options.filter((_, index) => names.includes(options[index - 1] ?? ''));
  const [networks = ''] = valuesOf('--net');
  const [service = ''] = valuesOf('--network-alias');
  return [
    service,
    {
      image: options.at(-1) ?? '',
      env: Object.fromEntries(valuesOf('-e').map((pair) => pair.split(/=(.*)/s))),
      envFiles: valuesOf('--env-file'),
      networks: networks.split(','),
      ports: valuesOf('-p'),
      mounts: valuesOf('-v', '--volume'),
      options,
    },
  ];
}
