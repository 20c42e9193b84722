import { statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { Found, ImportedInstance, ImportInstance, Recognition } from '../../../shared/schema/import.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { printable } from '../terminal/printable.ts';
import { parseMemory, parseWhole } from '../terminal/quantities.ts';
import { type Column, table } from '../terminal/table.ts';

interface Options {
  name?: string;
  id?: string;
  software?: string;
  version?: string;
  port?: number;
  memory?: number;
  java?: string;
  acceptEula?: boolean;
  dryRun?: boolean;
}

interface Line {
  what: string;
  found: Found<unknown>;
}

const COLUMNS: readonly Column<Line>[] = [
  { title: 'WHAT', cell: ({ what }) => what },
  { title: 'VALUE', cell: ({ found: { value } }) => sayValue(value) },
  { title: 'FROM', cell: ({ found: { from } }) => from },
  { title: '', cell: ({ found: { sure } }) => (sure === 'certain' ? '' : sure) },
];

export function addImport(program: Command): void {
  withCommonOptions(program.command('import'))
    .description('take over a server that is on this machine already; its folder is used in place')
    .argument('<dir>', "the server's folder, or a ZIP of one, such as an export")
    .option('--name <name>', "what it is called (default: the folder's name)")
    .option('--id <id>', 'short name for commands (default: made of the name)')
    .option('--software <kind>', 'which it is, where the folder does not say')
    .option('--version <version>', 'of the software, where the folder does not say')
    .option('--port <port>', 'where players connect (default: as it was)', parseWhole)
    .option('--memory <size>', 'such as 2G or 2048 (MiB; default: as it was)', parseMemory)
    .option('--java <major>', '8, 11, 17, 21 or 25 (default: what the version needs)')
    .option('--accept-eula', 'you have read and accept the licence of the software')
    .option('--dry-run', 'only show what would be taken over')
    .action(async (directory: string, options: Options, command: Command) => {
      const session = sessionOf(command);
      const body = requestOf(directory, options);
      const ask = async <Answer>() => (await session.api.request<Answer>('POST', '/instances/import', { body })).body;
      if (options.dryRun) {
        session.answer(await ask<Recognition>(), sayRecognition);
      } else {
        session.answer(await ask<ImportedInstance>(), ({ id, name, recognised }) =>
          [sayRecognition(recognised), '', `${name} is taken over. Start it: npx gamekeeper start ${id}`].join('\n'),
        );
      }
    });
}

function requestOf(directory: string, options: Options): Partial<ImportInstance> {
  const { name, id, software, version, port, memory, java, acceptEula, dryRun } = options;
  const place = path.resolve(directory);
  return {
    ...(isFile(place) ? { archive: place } : { directory: place }),
    ...(name !== undefined && { name }),
    ...(id !== undefined && { id }),
    ...(software !== undefined && { software }),
    ...(version !== undefined && { version }),
    ...(port !== undefined && { port }),
    ...(memory !== undefined && { memoryMb: memory }),
    // What is not one of the known versions the API refuses, naming them.
    ...(java !== undefined && { javaVersion: java as NonNullable<ImportInstance['javaVersion']> }),
    ...(acceptEula && { acceptEula }),
    ...(dryRun && { dryRun }),
  };
}

function isFile(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isFile() ?? false;
}

const WHAT: readonly (readonly [keyof Recognition, string])[] = [
  ['software', 'software'],
  ['version', 'version'],
  ['build', 'build'],
  ['program', 'program'],
  ['launch', 'command'],
  ['javaVersion', 'Java'],
  ['memoryMb', 'memory (MB)'],
  ['port', 'port'],
  ['rconPort', 'RCON port'],
  ['acceptEula', 'EULA accepted'],
  ['worlds', 'worlds'],
];

function sayRecognition(recognition: Recognition): string {
  const lines = WHAT.flatMap(([key, what]) => {
    const found = recognition[key] as Found<unknown> | undefined;
    return found ? [{ what, found }] : [];
  });
  const { missing, notes } = recognition;
  const said = [
    ...(lines.length > 0 ? [table(COLUMNS, lines)] : []),
    ...notes,
    ...missing.map(({ field, reason }) => `Missing: --${field}; ${reason}`),
  ];
  return said.map(printable).join('\n');
}

function sayValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
