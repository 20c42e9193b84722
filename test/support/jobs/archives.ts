import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Test } from 'tap';
import { type Header, pack } from 'tar-stream';
import { temporaryFolder } from '../machine/temporary-folder.ts';

/** Returns an archive of these files, by their paths, as the system's tar makes it. */
export function tarOf(t: Test, files: Readonly<Record<string, string>>, compression: 'gzip' | 'xz'): Buffer {
  const folder = temporaryFolder(t);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.join(folder, 'in', path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, 'in', name), content, { mode: content.startsWith('#!') ? 0o755 : 0o644 });
  }
  const out = path.join(folder, 'out');
  execFileSync('tar', [`--${compression}`, '-cf', out, '-C', path.join(folder, 'in'), '.']);
  return readFileSync(out);
}

/** Returns a tar.gz with entries that no honest program makes. */
export async function handmadeTar(entries: readonly (Partial<Header> & { name: string; content?: string })[]) {
  const tar = pack();
  for (const { content = '', ...header } of entries) tar.entry(header, content);
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) chunks.push(chunk as Uint8Array);
  return gzipSync(Buffer.concat(chunks));
}
