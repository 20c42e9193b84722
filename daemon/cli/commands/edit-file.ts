import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { WrittenFile } from '../../../shared/schema/files.ts';
import { Failure } from '../api/failure.ts';
import { filesAddress } from '../api/files-address.ts';
import type { Session } from '../api/session.ts';
import { formatBytes } from '../terminal/quantities.ts';

/** Larger files are no texts that somebody edits. */
const LARGEST_BYTES = 16 * 1024 * 1024;

/**
 * Downloads a file, waits until the editor has ended, and uploads what it has saved unless the server's file has changed meanwhile: then, and
 * after any other failure, the edited copy is kept and named. A file that does not exist yet is created.
 */
export async function editFile(session: Session, file: { id: string; path: string }): Promise<void> {
  const address = filesAddress(file.id, '/content', { path: file.path });
  const before = await download(session, address);
  const folder = await mkdtemp(path.join(tmpdir(), 'gamekeeper-edit-'));
  const copy = path.join(folder, path.posix.basename(file.path));
  let isKept = false;
  try {
    await writeFile(copy, before?.content ?? '', { mode: 0o600 });
    try {
      await runEditor(copy);
    } catch (cause) {
      isKept = !(await readFile(copy)).equals(before?.content ?? Buffer.alloc(0));
      if (!isKept) throw cause;
      throw new Failure(`${cause instanceof Error ? cause.message : cause}\nYour version is in ${copy}.`, { cause });
    }
    const after = await readFile(copy);
    if (after.equals(before?.content ?? Buffer.alloc(0)))
      return session.answer({ changed: false }, () => `${file.path} was not changed.`);
    const headers: Record<string, string> = before ? { 'if-match': before.etag } : { 'if-none-match': '*' };
    try {
      const upload = { upload: Readable.from([after]), headers };
      const { body } = await session.api.request<WrittenFile>('PUT', address, upload);
      session.answer({ changed: true, ...body }, ({ sizeBytes }) => `Saved ${file.path} (${formatBytes(sizeBytes)}).`);
    } catch (cause) {
      isKept = true;
      throw new Failure(`${cause instanceof Error ? cause.message : cause}\nYour version is in ${copy}.`, { cause });
    }
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

/** Returns `undefined` if there is no file. */
async function download({ api }: Session, address: string): Promise<{ content: Buffer; etag: string } | undefined> {
  const response = await api.open(address).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'file_not_found') return undefined;
    throw error;
  });
  if (!response) return undefined;
  if (Number(response.headers['content-length']) > LARGEST_BYTES) {
    response.destroy();
    throw new Failure('The file is too large for an editor. Download it with "gamekeeper files get".');
  }
  return { content: await buffer(response), etag: response.headers.etag ?? '' };
}

/** The variable may hold arguments: `code --wait`. */
async function runEditor(file: string): Promise<void> {
  const editor = process.env.VISUAL || process.env.EDITOR || 'vi';
  const [program = 'vi', ...args] = editor.split(' ').filter((word) => word !== '');
  const running = spawn(program, [...args, file], { stdio: 'inherit' });
  try {
    const [code] = (await once(running, 'exit')) as [number | null];
    if (code !== 0) throw new Failure(`The editor ended with ${code}, so nothing was uploaded.`);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure(`The editor "${program}" could not be started. Set EDITOR to one that is installed.`, { cause });
  }
}
