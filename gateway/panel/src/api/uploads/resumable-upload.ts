import { DetailedError, Upload, type UploadOptions } from 'tus-js-client';
import { asProblem, type Problem, problemOf, unreachable } from '../transport/problem.ts';

/** Options of all uploads in pieces: they go on after a break of the line, or when the same file is chosen again. */
export const RESUMABLE = {
  retryDelays: [0, 1_000, 3_000, 5_000, 10_000, 30_000],
  removeFingerprintOnSuccess: true,
  onShouldRetry: (error: Error) => isPassing(statusOf(error)),
} satisfies UploadOptions;

/** The reason of a signal that also removes what has been uploaded. */
export const DISCARD = Symbol('discard');

export interface UploadWatch {
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
}

/**
 * Uploads a file in pieces. Resolves to the address of the upload. If a file with the same key is chosen again after a reload, the upload goes on
 * where it was, as it does after `signal` has ended it. Throws a Problem, or the reason of `signal`.
 */
export function uploadInPieces(
  file: File,
  {
    key,
    signal,
    ...options
  }: UploadWatch & Pick<UploadOptions, 'removeFingerprintOnSuccess'> & { endpoint: string; key: string },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      ...RESUMABLE,
      ...options,
      fingerprint: async () => `gamekeeper|${key}`,
      onSuccess: () => resolve(upload.url ?? ''),
      onError: (error) => void uploadProblem(error).then(reject),
    });
    signal.addEventListener('abort', () => {
      upload.abort(signal.reason === DISCARD).catch(() => undefined); // it expires
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
}

/** Returns why an upload has failed. */
export async function uploadProblem(error: Error): Promise<Problem> {
  if (!(error instanceof DetailedError)) return asProblem(error);
  const answer = error.originalResponse;
  if (!answer) return unreachable();
  return await problemOf(new Response(answer.getBody(), { status: answer.getStatus() }));
}

function statusOf(error: Error): number {
  return error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0;
}

/** No connection, too many requests, a piece that still arrives, or a restart. */
function isPassing(status: number): boolean {
  return [0, 423, 429, 502, 503, 504].includes(status);
}
