import { readFile, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { hasErrorCode } from '../../shared/errors/error-code.ts';
import { type DemoOptions, parseOptions, USAGE, UsageError } from './configuration/options.ts';
import { parseProperties } from './configuration/properties-format.ts';
import { loadServerProperties } from './configuration/server-properties.ts';
import { createConsoleLog, flood } from './console/console-log.ts';
import { GameServer } from './game/game-server.ts';

/** Exit codes. After a signal, 128 plus its number, like a JVM. */
const EXIT = { failed: 1, usage: 2 } as const;
/** In characters. A longer line is dropped, to limit the memory. */
const LONGEST_LINE = 64 * 1024;

const now = (): Date => new Date();
const log = createConsoleLog({
  write: (text) => process.stdout.write(text),
  coloured: process.stdout.isTTY === true,
  now,
});
// The server keeps running if nobody reads its output, like a JVM.
process.stdout.on('error', () => {});

const options = readOptions(process.argv.slice(2));
if (options.help) {
  process.stdout.write(USAGE);
  process.exit();
}
if (options.faults.exitAtOnce !== undefined) {
  log.error('The demo server was asked to exit at once');
  await exit(options.faults.exitAtOnce);
}

const folder = process.cwd();
if (options.eula && !(await isEulaAccepted(join(folder, 'eula.txt'), now()))) {
  log.info('You need to agree to the EULA in order to run the server. Go to eula.txt for more info.', 'main');
  await exit(0);
}

const server = new GameServer({
  folder,
  options,
  properties: await loadServerProperties(join(folder, 'server.properties'), now()),
  log,
  exit: (code) => void exit(code),
  flood: (lines) => void flood(process.stdout, { lines, now: now() }),
});

readConsoleLines(process.stdin, (line) => void server.command(line));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => void server.stop(128 + constants.signals[signal]));
}
try {
  await server.start();
} catch (error) {
  log.error('Failed to start the minecraft server');
  log.raw(error instanceof Error ? String(error.stack) : String(error));
  await exit(EXIT.failed);
}

/** Exits once all output is written (on Windows pipes are written in the background). */
async function exit(code: number): Promise<never> {
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  process.exit(code);
}

function readOptions(argv: readonly string[]): DemoOptions {
  try {
    return parseOptions(argv);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n${USAGE}`);
    process.exit(EXIT.usage);
  }
}

/** Returns whether `eula.txt` contains `eula=true`. Writes a missing file with `eula=false`, as vanilla does. */
async function isEulaAccepted(file: string, now: Date): Promise<boolean> {
  try {
    return (
      parseProperties(await readFile(file, 'utf8'))
        .get('eula')
        ?.toLowerCase() === 'true'
    );
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  await writeFile(
    file,
    '#By changing the setting below to TRUE you are indicating your agreement to our EULA ' +
      `(https://aka.ms/MinecraftEULA).\n#${now.toString()}\neula=false\n`,
  );
  return false;
}

/** Calls `onLine` for every line, without its line end. Ignores the end of the input: a server without its terminal keeps running. */
function readConsoleLines(input: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let unfinished = '';
  input.on('data', (bytes: Buffer) => {
    const lines = (unfinished + decoder.write(bytes)).split(/\r?\n/);
    unfinished = lines.pop() ?? '';
    if (unfinished.length > LONGEST_LINE) unfinished = '';
    for (const line of lines) if (line.trim() !== '') onLine(line);
  });
  // A closed terminal causes an error (EIO), which is no reason to stop either.
  input.on('error', () => {});
}
