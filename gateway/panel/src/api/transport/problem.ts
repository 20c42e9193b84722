import type { components } from '../schema.d.ts';

type ErrorResponse = components['schemas']['ErrorResponse'];

export const UNREACHABLE = 'unreachable';

/** A request that was refused or failed: the daemon's ErrorResponse, or what the browser says where no answer came. */
export class Problem extends Error {
  override name = 'Problem';
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly resolution: string | undefined;
  /** Finds the request in the daemon's logs. */
  readonly requestId: string | undefined;

  constructor({ status, code, title, detail, resolution }: Omit<ErrorResponse, 'type'>, requestId?: string) {
    super(detail);
    this.status = status;
    this.code = code;
    this.title = title;
    this.resolution = resolution;
    this.requestId = requestId;
  }
}

/** What a non-2xx answer says. */
export async function problemOf(response: Response): Promise<Problem> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const body: unknown = await response.json().catch(() => undefined); // Not the daemon's words: something stands between.
  if (isErrorResponse(body)) return new Problem(body, requestId);
  const title = response.statusText || `Status ${response.status}`;
  return new Problem({ status: response.status, code: 'unknown', title, detail: title }, requestId);
}

/** What becomes of an error that is no answer: the daemon could not be reached. Its words are the panel's own (`useProblem`). */
export function unreachable(): Problem {
  return new Problem({ status: 0, code: UNREACHABLE, title: UNREACHABLE, detail: UNREACHABLE });
}

/** Any thrown value as a Problem, for showing it. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new Problem({ status: 0, code: 'internal', title: 'Error', detail });
}

function isErrorResponse(body: unknown): body is ErrorResponse {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'title' in body;
}
