import { createHash } from 'node:crypto';
import { type HandmadeEntry, zipBytes } from '../../pool/zip-bytes.ts';
import type { FakeModrinth } from '../mods/fake-modrinth.ts';
import { GAME, idOf } from '../mods/fake-modrinth.ts';

/** An entry of `files` in modrinth.index.json ("Modrinth Modpack Format (.mrpack)"), with any false values. */
export interface IndexFile {
  path: string;
  hashes: { sha1: string; sha512: string };
  env?: { client: string; server: string };
  downloads: string[];
  fileSize: number;
}

/** Returns the entry for version 1 of a mod at the stand-in for Modrinth. */
export function modFile(slug: string, modrinth: FakeModrinth, more: Partial<IndexFile> = {}): IndexFile {
  const content = modrinth.jar(slug, '1');
  const hash = (algorithm: string) => createHash(algorithm).update(content).digest('hex');
  return {
    path: `mods/${slug}.jar`,
    hashes: { sha1: hash('sha1'), sha512: hash('sha512') },
    env: { client: 'required', server: 'required' },
    downloads: [`${modrinth.base}/data/${idOf(slug)}1/${slug}.jar`],
    fileSize: content.length,
    ...more,
  };
}

/** Returns an index, with any false values. */
export function indexOf(files: readonly IndexFile[], more: object = {}): string {
  return JSON.stringify({
    ...{ formatVersion: 1, game: 'minecraft', versionId: '1', name: 'Pack', summary: 'What it is' },
    files,
    dependencies: { minecraft: GAME, 'fabric-loader': '0.17.3' },
    ...more,
  });
}

/** Returns a .mrpack. */
export function packOf(index: string, entries: readonly HandmadeEntry[] = []): Buffer {
  return zipBytes([{ name: 'modrinth.index.json', content: index, method: 'deflated' }, ...entries]);
}
