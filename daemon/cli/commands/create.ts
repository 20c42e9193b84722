import path from 'node:path';
import type { Command } from 'commander';
import type { CreateInstance, Instance } from '../../../shared/schema/instance.ts';
import type { CreateFromModpack } from '../../../shared/schema/modpacks.ts';
import { awaitPhase } from '../api/await-phase.ts';
import { whileShowing } from '../api/follow-job.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { addPair, parseDuration, parseMemory, parseWhole } from '../terminal/quantities.ts';

interface Options {
  name?: string;
  software?: string;
  modpack?: string;
  id?: string;
  version?: string;
  port?: number;
  memory?: number;
  java?: string;
  directory?: string;
  acceptEula?: boolean;
  udp?: boolean;
  ready?: Pick<CreateInstance, 'readyPattern' | 'readyAfterSeconds'>;
  stop?: string;
  env?: Record<string, string>;
  runAs?: string;
  set?: Record<string, string>;
  start?: boolean;
}

export function addCreate(program: Command): void {
  withCommonOptions(program.command('create'))
    .description('Create a server')
    .argument('[command...]', 'For software "custom", after --: the command that starts the server')
    .option('--name <name>', 'Name of the server (with --modpack by default: that of the modpack)')
    .option('--software <kind>', 'Such as vanilla, paper, fabric, forge, velocity, bedrock, luanti, custom or demo')
    .option('--modpack <project>', 'Modpack on Modrinth, by its id or the end of its address, instead of the software')
    .option('--id <id>', 'Short name for commands and folders (default: from the name)')
    .option('--version <version>', 'Version of the software or modpack (default: the newest stable one)')
    .option(
      '--port <port>',
      'Port that players connect to (default: the first free one from the usual port)',
      parseWhole,
    )
    .option('--memory <size>', 'Memory, such as 2G or 2048 (MiB)', parseMemory)
    .option('--java <major>', 'Java 8, 11, 17, 21 or 25 (default: the one that the version needs)')
    .option('--directory <folder>', 'Folder of an existing server, used in place (default: a new folder)')
    .option('--accept-eula', 'Accept the licence of the software, such as https://aka.ms/MinecraftEULA')
    .option('--udp', 'For software "custom": players connect over UDP')
    .option(
      '--ready <sign>',
      'When players can join: after a time, such as 20s, or at a console line that matches this pattern',
      parseReady,
    )
    .option('--stop <command>', 'What to type into its console to stop it (default: that of the software)')
    .option('--env <name=value>', 'Environment variable of the server; can be repeated', addPair)
    .option(
      '--run-as <user>',
      'System user that the server runs as; Gamekeeper must run as root (default: its own user)',
    )
    .option('--set <name=value>', 'Value of a variable of the software; can be repeated', addPair)
    .option('--start', 'Start the server right away')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  gamekeeper create --software demo --name Demo --start',
        '  gamekeeper create --modpack cobblemon-fabric --memory 6G --accept-eula --start',
        '  gamekeeper create --software custom --name Survival --directory ./survival -- java -jar server.jar nogui',
        '  gamekeeper create --software custom --name Arena --udp --ready 5s --stop quit -- ./arena --port {port}',
      ].join('\n'),
    )
    .action(async (serverCommand: string[], options: Options, command: Command) => {
      const session = sessionOf(command);
      requireOptions(options, command);
      const body = requestOf(options, serverCommand);
      const create = (at: string) => session.api.request<Instance>('POST', at, { body });
      const created = await (options.modpack === undefined
        ? create('/instances')
        : whileShowing(session, { kind: 'import', title: 'Creating the server' }, create('/instances/modpack')));
      let instance = created.body;
      const at = `/instances/${instance.id}`;
      if (options.start) {
        await session.api.request('POST', `${at}/start`);
        if (session.interactive) await awaitPhase(session, instance.id, { wanted: 'running', doing: 'starting' });
        instance = (await session.api.request<Instance>('GET', at)).body;
      }
      session.answer(instance, ({ id, name, port, status }) =>
        options.start
          ? `Created "${name}", which is ${status} on port ${port}. Open its console: npx gamekeeper console ${id}`
          : `Created "${name}" (id ${id}, port ${port}). Start it: npx gamekeeper start ${id}`,
      );
    });
}

function requireOptions({ modpack, name, software }: Options, command: Command): void {
  if (modpack !== undefined) return;
  const missing = name === undefined ? "'--name <name>'" : "'--software <kind>' or '--modpack <project>'";
  if (name === undefined || software === undefined) command.error(`error: required option ${missing} not specified`);
}

/** The API refuses what a modpack decides itself. */
function requestOf(options: Options, program: string[]): Partial<CreateInstance & CreateFromModpack> {
  const { name, software, modpack, id, version, port, memory, java, directory, acceptEula } = options;
  const { udp, ready, stop, env, set, runAs } = options;
  return {
    ...(name !== undefined && { name }),
    ...(software !== undefined && { software }),
    ...(modpack !== undefined && { project: modpack }),
    ...(id !== undefined && { id }),
    ...(version !== undefined && { version }),
    ...(port !== undefined && { port }),
    ...(memory !== undefined && { memoryMb: memory }),
    // The API refuses unknown versions.
    ...(java !== undefined && { javaVersion: java as NonNullable<CreateInstance['javaVersion']> }),
    ...(directory !== undefined && { directory: path.resolve(directory) }),
    ...(acceptEula && { acceptEula }),
    ...(udp && { transport: 'udp' }),
    ...ready,
    ...(stop !== undefined && { stopCommand: stop }),
    ...(env && { env }),
    ...(runAs !== undefined && { runAs }),
    ...(set && { variables: set }),
    ...(program.length > 0 && { launch: { command: program } }),
  };
}

/** A duration, or else a regular expression. */
function parseReady(text: string): NonNullable<Options['ready']> {
  return /^\d+[smh]$/.test(text) ? { readyAfterSeconds: parseDuration(text) } : { readyPattern: text };
}
