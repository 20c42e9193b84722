import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { importKind } from '../../software/import/import-kind.ts';
import type { ImportedKind } from '../../software/import/imported-kind.ts';
import { readKindFile } from '../../software/read-custom-software.ts';
import { Failure } from '../api/failure.ts';
import { sessionOf, withCommonOptions } from '../api/session.ts';
import { describeTest } from '../kind-test/describe-test.ts';
import { type KindTestOptions, testKind } from '../kind-test/test-kind.ts';
import { addPair, parseDuration } from '../terminal/quantities.ts';
import { readKindText } from './kind-text.ts';

interface ImportOptions {
  save?: boolean;
  sha256?: string;
  as?: string;
  port?: SoftwareDefinition['gamePort'];
}

type TestOptions = Pick<KindTestOptions, 'directory' | 'set' | 'within' | 'acceptEula'>;

/** Commands for the files that describe kinds of software. */
export function addKind(program: Command): void {
  const kinds = program.command('kind').description('Import and check kinds of software');

  withCommonOptions(kinds.command('import'))
    .description('Convert an egg of Pterodactyl or Pelican, or a template of PufferPanel, and show all of it')
    .argument('<file or address>', 'JSON or YAML. Nothing in it is run')
    .option('--save', 'Put the kind into the software folder of the data directory, in place of one of that name')
    .option('--sha256 <hash>', 'With --save, of the text at the address, as it was shown')
    .option('--as <kind>', 'Name of the kind (default: from its title)')
    .option('--port <port/transport>', 'First port to try for players, such as 16261/udp (default: assumed)', parsePort)
    .action(async (name: string, { save = false, sha256: seen, as, port }: ImportOptions, command: Command) => {
      const { home, answer } = sessionOf(command);
      const { text: original, sha256 } = await readKindText(name);
      if (save && sha256 !== seen) throw unseen(name, seen);
      const imported = convert(original);
      const file = { ...imported.file, ...(as !== undefined && { kind: as }), ...(port && { gamePort: port }) };
      const text = `${JSON.stringify(file, null, 2)}\n`;
      const target = path.join(home.software, `${file.kind}.json`);
      const checked = await readKindFile(text, home.software, target);
      if ('problem' in checked) throw new Failure(`The kind is not valid: ${checked.problem}.`);
      if (save) {
        await mkdir(home.software, { recursive: true, mode: 0o700 });
        await writeFileAtomically(target, text);
      }
      answer({ ...imported, file, ...(sha256 && { sha256 }), ...(save && { saved: target }) }, describe);
    });

  withCommonOptions(kinds.command('validate'))
    .description('Check the file of a kind before it is put into the software folder')
    .argument('<file>', 'JSON file')
    .action(async (name: string, _options, command: Command) => {
      const { home, answer } = sessionOf(command);
      const checked = await readKindFile((await readKindText(name)).text, home.software, name);
      const problem = 'problem' in checked ? checked.problem : undefined;
      const result = { ok: problem === undefined, ...(problem !== undefined && { problem }) };
      answer(result, () => (problem === undefined ? 'The kind is valid.' : `The kind is not valid: ${problem}.`));
      if (problem !== undefined) process.exitCode = EXIT.failure;
    });

  withCommonOptions(kinds.command('test'))
    .description('Start a server of a kind, check what the kind says about it, and remove it again')
    .argument('<file>', 'JSON file')
    .argument('[command...]', 'For a kind whose servers each have a command of their own, after --: that command')
    .option('--directory <folder>', 'Folder with the files of the server; a copy is used')
    .option('--set <name=value>', 'Value of a variable; can be repeated', addPair)
    .option('--within <time>', 'How long the server may take until players can join', parseDuration, 120)
    .option('--accept-eula', 'Accept the licence of the software, such as https://aka.ms/MinecraftEULA')
    .addHelpText('after', '\nThe server runs in a data directory of its own. Nothing of yours is changed.')
    .action(async (name: string, launch: string[], options: TestOptions, command: Command) => {
      const session = sessionOf(command);
      const checked = await readKindFile((await readKindText(name)).text, session.home.software, name);
      if ('problem' in checked) throw new Failure(`The kind is not valid: ${checked.problem}.`);
      const { software } = checked;
      const result = await testKind({ ...options, software, launch }, session.note);
      session.answer(result, describeTest);
      if (!result.ok) process.exitCode = EXIT.failure;
    });
}

function convert(text: string): ImportedKind {
  try {
    return importKind(text);
  } catch (error) {
    if (!(error instanceof GamekeeperError)) throw error;
    throw new Failure([error.message, error.resolution].filter(Boolean).join(' '), { cause: error });
  }
}

function parsePort(text: string): SoftwareDefinition['gamePort'] {
  const [, digits, transport = 'udp'] = /^(\d{1,5})(?:\/(tcp|udp))?$/.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('It must be a port and its transport, such as 16261/udp.');
  return { first: Number(digits), transport: transport === 'tcp' ? 'tcp' : 'udp' };
}

/** What is saved must be what was read before. */
function unseen(name: string, seen: string | undefined): Failure {
  const why =
    seen === undefined ? 'An address can answer something else each time.' : `${name} does not have that SHA-256.`;
  return new Failure(`${why} Run the command without --save, read the kind, and use the --sha256 that it prints.`, {
    exitCode: EXIT.usage,
  });
}

/** Shows everything, since whoever saves a kind trusts it to run programs. */
function describe({ file, notes, scripts, saved, sha256 }: ImportedKind & { saved?: string; sha256?: string }): string {
  const next =
    saved === undefined
      ? `Nothing was saved. Read it, then run the command again with --save${sha256 ? ` --sha256 ${sha256}` : ''}.`
      : `Saved ${saved}. Create a server: npx gamekeeper create --software ${file.kind} --name ${file.kind}`;
  return [
    JSON.stringify(file, null, 2),
    ...scripts.flatMap(({ title, text }) => [
      '',
      `-- ${title} (never run)`,
      ...text
        .trimEnd()
        .split('\n')
        .map((line) => `  | ${line}`),
    ]),
    '',
    ...notes.map((note) => `Note: ${note}`),
    ...(notes.length > 0 ? [''] : []),
    next,
  ].join('\n');
}
