import { realpath } from 'node:fs/promises';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { RESERVED_BYTES, requireSpace, withStorageError } from '../../../shared/node/files/disk-space.ts';
import { shownName } from '../../../shared/node/files/file-name.ts';
import { SocketSink } from '../../../shared/node/ipc/socket-sink.ts';
import { Progress } from '../progress.ts';
import type { ExportResult, ExportTask } from '../task-types.ts';
import { createExclusion, type Exclusion } from '../tree/exclusion.ts';
import { unreadable } from '../tree/unreadable.ts';
import { type Walk, walk } from '../tree/walk.ts';
import { requireWorldInside, requireWorldUnlinked } from '../tree/world-links.ts';
import { addEntries, headerBytes } from './add-entries.ts';
import { ArchiveFile } from './archive-file.ts';
import { createZip, type ZipSink } from './zip-writer.ts';

const MANIFEST_MODE = 0o644;

/**
 * Writes a folder, or some of what is in it, to a socket or a file as a ZIP. The manifest, if there is one, comes last, since it includes the outcome. Links are left out and listed, since
 * imports refuse archives with links. Rejects if the other side disconnects. Throws `invalid_state` if something in the folder cannot be read, and
 * before the first byte if the world is behind a link; for a file, `insufficient_storage`.
 */
export async function exportFolder(task: ExportTask): Promise<ExportResult> {
  try {
    return await exportTo(task);
  } catch (error) {
    throw withStorageError(unreadable(error), 'the ZIP');
  }
}

async function exportTo(task: ExportTask): Promise<ExportResult> {
  const progress = new Progress(task.progress);
  const { manifest } = task;
  // A folder inside a server's was resolved before; by now there may be a link on the way to it, which the walk refuses.
  const source = manifest ? await realpath(task.source) : task.source;
  const found = walk(source, chosen(task.names, createExclusion(manifest ? [`./${manifest.name}`] : [])));
  const { entries, bytes, leftOut, vanished, omissions, outsideLinks } = found;
  requireAll(task.names ?? [], found);
  const links = entries.filter(({ kind }) => kind === 'link').map(({ name }) => name);
  const outside = new Set(outsideLinks);
  const insideLinks = links.filter((name) => !outside.has(name));
  if (manifest) {
    requireWorldInside(source, outsideLinks, 'export');
    requireWorldUnlinked(source, insideLinks);
  }
  for (const name of insideLinks) omissions.add(name, 'link');
  progress.expect(bytes);
  const files = entries.filter(({ kind }) => kind !== 'link');
  const zip = createZip(await openSink(task, bytes + headerBytes(files)));
  try {
    const { fileCount, changedFiles } = await addEntries({ zip, progress, source, omissions }, files);
    if (manifest) {
      const content = {
        ...manifest.content,
        fileCount,
        leftOut: [...leftOut, ...links].map(shownName).filter((name) => name !== manifest.name),
        changedFiles: [...vanished, ...changedFiles].map(shownName),
      };
      const head = { name: manifest.name, mode: MANIFEST_MODE, modified: new Date(manifest.at) };
      await zip.file(head, ownMemory(`${JSON.stringify(content, undefined, 2)}\n`), true);
    }
    await zip.finish();
    return { fileCount, omitted: omissions.listed, omittedCount: omissions.count };
  } catch (error) {
    await zip.abort();
    throw error;
  }
}

/** What was chosen by name is not excluded. */
function chosen(names: readonly string[] | undefined, exclusion: Exclusion): Exclusion {
  if (!names) return exclusion;
  const wanted = new Set(names);
  return (name) => (name.includes('/') ? exclusion(name) : wanted.has(name) ? undefined : 'unwanted');
}

/** A file deep in a folder may vanish while others are read, but not what was asked for. */
function requireAll(names: readonly string[], { entries, leftOut }: Walk): void {
  const found = new Set([...entries.map(({ name }) => name), ...leftOut]);
  const missing = names.find((name) => !found.has(name));
  if (missing !== undefined)
    throw new GamekeeperError('file_not_found', `There is no "${shownName(missing)}" any more.`);
}

async function openSink(task: ExportTask, bytes: number): Promise<ZipSink> {
  if ('socket' in task) return await SocketSink.connect(task.socket);
  await requireSpace(task.file, bytes + RESERVED_BYTES, 'The ZIP, with what the game needs to save,');
  return await ArchiveFile.fill(task.file);
}

/** Not from Buffer's shared pool: the writer keeps the memory. */
function ownMemory(text: string): Buffer {
  const memory = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  memory.write(text);
  return memory;
}
