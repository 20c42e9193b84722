import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { FileHistory } from '../../../shared/schema/files.ts';
import { Failure } from '../api/failure.ts';
import { filesAddress } from '../api/files-address.ts';
import { type Session, sessionOf, withCommonOptions } from '../api/session.ts';

/** Larger files are no texts that somebody reads. */
const LARGEST_BYTES = 16 * 1024 * 1024;
/** Two long texts without a line in common would take minutes. */
const LONGEST_MS = 10_000;

const COLOURS = new Map<string, 'green' | 'red' | 'cyan'>([
  ['+', 'green'],
  ['-', 'red'],
  ['@', 'cyan'],
]);

interface Side {
  name: string;
  content: Buffer;
}

interface Difference {
  from: string;
  to: string;
  /** `format`: the same text with other line endings, or in another encoding. */
  differsIn: 'nothing' | 'text' | 'format' | 'bytes';
  /** Unified, for a text. */
  patch?: string;
}

/** Adds `files diff`. */
export function addDiff(files: Command): void {
  withCommonOptions(files.command('diff'))
    .description('Show how a file differs from an earlier version, or a file on this computer from it')
    .argument('<id>', 'Id of the server')
    .argument('<path>', "Path in the server's folder")
    .argument(
      '[other]',
      'Version, as "gamekeeper files history" prints it, or a file on this computer (default: the latest version)',
    )
    .action(async (id: string, path: string, other: string | undefined, _options, command: Command) => {
      const session = sessionOf(command);
      const now = { name: path, content: await download(session, filesAddress(id, '/content', { path }), path) };
      const { versions } = (await session.api.request<FileHistory>('GET', filesAddress(id, '/history', { path }))).body;
      const version = other ?? versions[0]?.version;
      if (version === undefined)
        throw new Failure(`There are no earlier versions of ${path}. Name a file on this computer to compare it with.`);
      const isVersion = versions.some((each) => each.version === version);
      const [from, to] = isVersion
        ? [await earlier(session, { id, path, version }), now]
        : [now, { name: version, content: await readLocal(version) }];
      session.answer(difference(from, to), words);
    });
}

async function earlier(session: Session, at: { id: string; path: string; version: string }): Promise<Side> {
  const { id, path, version } = at;
  const address = filesAddress(id, '/history/content', { path, version });
  return { name: `${path} (${version})`, content: await download(session, address, path) };
}

async function download({ api }: Session, address: string, name: string): Promise<Buffer> {
  const response = await api.open(address);
  if (Number(response.headers['content-length']) > LARGEST_BYTES) {
    response.destroy();
    throw tooLarge(name);
  }
  return await buffer(response);
}

async function readLocal(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size > LARGEST_BYTES) throw tooLarge(file);
    return await readFile(file);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure(`${file} is neither an earlier version nor a file that can be read. Check the name.`, { cause });
  }
}

function tooLarge(name: string): Failure {
  return new Failure(`${name} is too large to compare here. Download it with "gamekeeper files get".`);
}

function difference({ name: from, content: before }: Side, { name: to, content: after }: Side): Difference {
  if (before.equals(after)) return { from, to, differsIn: 'nothing' };
  if (before.includes(0) || after.includes(0)) return { from, to, differsIn: 'bytes' };
  const patch = createTwoFilesPatch(from, to, decode(before), decode(after), undefined, undefined, {
    stripTrailingCr: true,
    timeout: LONGEST_MS,
    headerOptions: FILE_HEADERS_ONLY,
  });
  if (patch === undefined)
    throw new Failure(`${from} and ${to} differ too much to show how. Download them and use another program.`);
  return patch.includes('\n@@') ? { from, to, differsIn: 'text', patch } : { from, to, differsIn: 'format' };
}

function decode(content: Buffer): string {
  return content.toString(isUtf8(content) ? 'utf8' : 'latin1');
}

function words({ from, to, differsIn, patch = '' }: Difference): string {
  if (differsIn === 'nothing') return `${from} and ${to} are the same.`;
  if (differsIn === 'bytes') return `${from} and ${to} differ. They are not text.`;
  if (differsIn === 'format') return `${from} and ${to} differ only in their line endings or encoding.`;
  return patch.trimEnd().split('\n').map(coloured).join('\n');
}

function coloured(line: string): string {
  const colour = COLOURS.get(line.charAt(0));
  return colour === undefined ? line : styleText(colour, line, { stream: process.stdout });
}
