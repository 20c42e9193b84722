import { Upload } from 'tus-js-client';
import { uploadsUrl } from '../files.ts';
import { RESUMABLE, uploadProblem } from './resumable-upload.ts';

/**
 * Uploads the ZIP of a world in pieces. Resolves to its path in the server's folder. If the same file is chosen again after a reload, the upload goes
 * on where it was, as it does after `signal` has ended it. Throws a Problem, or the reason of `signal`.
 */
export async function uploadWorld(
  instanceId: string,
  file: File,
  { onProgress, signal }: { onProgress: (sentBytes: number) => void; signal: AbortSignal },
): Promise<string> {
  // The same for the same file: it replaces what a closed tab has left behind.
  const path = `uploaded-world-${file.size}-${file.lastModified}.zip`;
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      ...RESUMABLE,
      endpoint: uploadsUrl({ instanceId, path }),
      fingerprint: async () => ['gamekeeper', instanceId, path].join('|'),
      onProgress,
      onSuccess: () => resolve(),
      onError: (error) => void uploadProblem(error).then(reject),
    });
    signal.addEventListener('abort', () => {
      void upload.abort();
      reject(signal.reason);
    });
    const start = async () => {
      const [former] = await upload.findPreviousUploads();
      signal.throwIfAborted();
      if (former) upload.resumeFromPreviousUpload(former);
      upload.start();
    };
    start().catch(reject);
  });
  return path;
}
