import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StoredObject } from '../../../../../workers/jobs/backups/stores/store.ts';

export interface SampleObject extends StoredObject {
  /** The local file. */
  file: string;
  content: Buffer;
}

const KEY = 'survival/20261120T081500Z-4f9c2a.zip';

/** A file of random bytes: like an archive of region files, it cannot be compressed. */
export async function sampleObject(folder: string, sizeBytes: number, key = KEY): Promise<SampleObject> {
  const content = randomBytes(sizeBytes);
  const file = path.join(folder, `sample-${randomBytes(4).toString('hex')}`);
  await writeFile(file, content);
  return { key, sizeBytes, sha256: createHash('sha256').update(content).digest('hex'), file, content };
}
