import { open } from 'node:fs/promises';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { decryptedBytes } from '../encryption/decrypted-bytes.ts';
import { damaged } from '../extract/damaged.ts';
import { type OpenZip, openZip } from '../extract/open-archive.ts';
import { type ByteSource, fileSource } from '../reading/byte-source.ts';
import { farSource } from '../reading/far-source.ts';
import { RemoteBytes } from '../reading/remote-bytes.ts';
import type { ArchivePlace } from '../task-types.ts';

/** Opens an archive, here or in a store, for the duration of `work`. */
export async function withArchive<T>(place: ArchivePlace, work: (archive: OpenZip) => Promise<T>): Promise<T> {
  const open = (source: ByteSource) => openZip(source).then((zip) => work({ zip, source }));
  if ('file' in place) return withFile(place.file, open);
  const remote = new RemoteBytes(place);
  try {
    const { encryption } = place;
    return await open(farSource(encryption ? await decryptedBytes(remote, encryption) : remote));
  } finally {
    remote.close();
  }
}

async function withFile<T>(file: string, work: (source: ByteSource) => Promise<T>): Promise<T> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw hasErrorCode(error, 'ENOENT') ? damaged('Its archive is missing.', error) : error;
  });
  try {
    return await work(await fileSource(handle));
  } finally {
    await handle.close();
  }
}
