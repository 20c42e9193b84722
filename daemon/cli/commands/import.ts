import { statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { Found, ImportedInstance, ImportInstance, Recognition } from '../../../shared/schema/import.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
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
  { title: 'VALUE', cell: ({ found: { value } }) => formatValue(value) },
  { title: 'FROM', cell: ({ found: { from } }) => from },
  { title: '', cell: ({ found: { sure } }) => (sure === 'certain' ? '' : sure) },
];

export function addImport(program: Command): void {
  withCommonOptions(program.command('import'))
    .description('Import a server that is already on this machine; its folder is used in place')
    .argument('<dir>', 'Folder of the server, a ZIP archive of one, such as an export, or a modpack (.mrpack)')
    .argument('[command...]', 'For software "custom", after --: the command that starts the server')
    .option('--name <name>', "Name of the server (default: the folder's name)")
    .option('--id <id>', 'Short name for commands (default: from the name)')
    .option('--software <kind>', 'Software, if the folder does not show it')
    .option('--version <version>', 'Version of the software, if the folder does not show it')
    .option('--port <port>', 'Port that players connect to (default: as before)', parseWhole)
    .option('--memory <size>', 'Memory, such as 2G or 2048 (MiB; default: as before)', parseMemory)
    .option('--java <major>', 'Java 8, 11, 17, 21 or 25 (default: the one that the version needs)')
    .option('--accept-eula', 'Accept the licence of the software')
    .option('--dry-run', 'Only show what would be imported')
    .action(async (directory: string, serverCommand: string[], options: Options, command: Command) => {
      const session = sessionOf(command);
      const body = requestOf(directory, options, serverCommand);
      const ask = async <Answer>() => (await session.api.request<Answer>('POST', '/instances/import', { body })).body;
      if (options.dryRun) {
        session.answer(await ask<Recognition>(), formatRecognition);
      } else {
        session.answer(await ask<ImportedInstance>(), ({ id, name, recognised }) =>
          [
            formatRecognition(recognised),
            '',
            `Imported "${name}" (id ${id}). Start it: npx gamekeeper start ${id}`,
          ].join('\n'),
        );
      }
    });
}

function requestOf(directory: string, options: Options, program: string[]): Partial<ImportInstance> {
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
    // The API refuses unknown versions.
    ...(java !== undefined && { javaVersion: java as NonNullable<ImportInstance['javaVersion']> }),
    ...(acceptEula && { acceptEula }),
    ...(dryRun && { dryRun }),
    ...(program.length > 0 && { launch: { command: program } }),
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

function formatRecognition(recognition: Recognition): string {
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
  return said.join('\n');
}

function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
