import { realpath } from 'node:fs/promises';
import { shownName } from '../../../shared/node/files/file-name.ts';
import { SocketSink } from '../../../shared/node/ipc/socket-sink.ts';
import { Progress } from '../progress.ts';
import type { ExportResult, ExportTask } from '../task-types.ts';
import { createExclusion } from '../tree/exclusion.ts';
import { unreadable } from '../tree/unreadable.ts';
import { walk } from '../tree/walk.ts';
import { requireWorldInside, requireWorldUnlinked } from '../tree/world-links.ts';
import { addEntries } from './add-entries.ts';
import { createZip } from './zip-writer.ts';

const MANIFEST_MODE = 0o644;

/**
 * Writes a folder to a socket as a ZIP. The manifest, if there is one, comes last, since it includes the outcome. Links are left out and listed, since
 * imports refuse archives with links. Rejects if the other side disconnects. Throws `invalid_state` if something in the folder cannot be read, and
 * before the first byte if the world is behind a link.
 */
export async function exportFolder(task: ExportTask): Promise<ExportResult> {
  try {
    return await exportTo(task);
  } catch (error) {
    throw unreadable(error);
  }
}

async function exportTo(task: ExportTask): Promise<ExportResult> {
  const progress = new Progress(task.progress);
  const { manifest } = task;
  // A folder inside a server's was resolved before; by now there may be a link on the way to it, which the walk refuses.
  const source = manifest ? await realpath(task.source) : task.source;
  const found = walk(source, createExclusion(manifest ? [`./${manifest.name}`] : []));
  const { entries, bytes, leftOut, vanished, omissions, outsideLinks } = found;
  const links = entries.filter(({ kind }) => kind === 'link').map(({ name }) => name);
  const outside = new Set(outsideLinks);
  const insideLinks = links.filter((name) => !outside.has(name));
  if (manifest) {
    requireWorldInside(source, outsideLinks, 'export');
    requireWorldUnlinked(source, insideLinks);
  }
  for (const name of insideLinks) omissions.add(name, 'link');
  progress.expect(bytes);
  const zip = createZip(await SocketSink.connect(task.socket));
  try {
    const files = entries.filter(({ kind }) => kind !== 'link');
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

/** Not from Buffer's shared pool: the writer keeps the memory. */
function ownMemory(text: string): Buffer {
  const memory = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  memory.write(text);
  return memory;
}
