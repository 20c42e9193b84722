import { uploadsUrl } from '../files.ts';
import { type UploadWatch, uploadInPieces } from './resumable-upload.ts';

/** Uploads the ZIP of a world. Resolves to its path in the server's folder. Throws as `uploadInPieces`. */
export async function uploadWorld(instanceId: string, file: File, watch: UploadWatch): Promise<string> {
  // The same for the same file: it replaces what a closed tab has left behind.
  const path = `uploaded-world-${file.size}-${file.lastModified}.zip`;
  await uploadInPieces(file, {
    ...watch,
    endpoint: uploadsUrl({ instanceId, path }),
    key: [instanceId, path].join('|'),
  });
  return path;
}
