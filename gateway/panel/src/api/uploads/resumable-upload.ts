import { DetailedError, type UploadOptions } from 'tus-js-client';
import { asProblem, type Problem, problemOf } from '../transport/problem.ts';

/** Options of all uploads in pieces: they go on after a break of the line, or when the same file is chosen again. */
export const RESUMABLE = {
  retryDelays: [0, 1_000, 3_000, 5_000, 10_000, 30_000],
  removeFingerprintOnSuccess: true,
  onShouldRetry: (error: Error) => isPassing(statusOf(error)),
} satisfies UploadOptions;

/** Returns why an upload has failed. */
export async function uploadProblem(error: Error): Promise<Problem> {
  const answer = error instanceof DetailedError ? error.originalResponse : null;
  if (!answer) return asProblem(error);
  return await problemOf(new Response(answer.getBody(), { status: answer.getStatus() }));
}

function statusOf(error: Error): number {
  return error instanceof DetailedError ? (error.originalResponse?.getStatus() ?? 0) : 0;
}

/** No connection, too many requests, a piece that still arrives, or a restart. */
function isPassing(status: number): boolean {
  return [0, 423, 429, 502, 503, 504].includes(status);
}
