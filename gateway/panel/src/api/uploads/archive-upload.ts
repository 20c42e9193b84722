import { type UploadWatch, uploadInPieces } from './resumable-upload.ts';

/** Uploads an archive to be imported. Resolves to the id of the upload. Throws as `uploadInPieces`. */
export async function uploadArchive(file: File, watch: UploadWatch): Promise<string> {
  const address = await uploadInPieces(file, {
    ...watch,
    endpoint: `/instances/import/uploads?name=${encodeURIComponent(file.name)}`,
    key: archiveKey(file),
    // Until it is imported, the same file need not be uploaded again.
    removeFingerprintOnSuccess: false,
  });
  return address.split('/').at(-1) ?? '';
}

/** The same for the same file. */
export function archiveKey({ name, size, lastModified }: File): string {
  return ['import', name, size, lastModified].join('|');
}
