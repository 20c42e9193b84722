import type { components } from '../schema.d.ts';

type ErrorResponse = components['schemas']['ErrorResponse'];
export type FieldError = components['schemas']['FieldError'];

export const UNREACHABLE = 'unreachable';

/** A request that failed, either with the daemon's ErrorResponse or without any response. */
export class Problem extends Error {
  override name = 'Problem';
  /** HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly resolution: string | undefined;
  /** Identifies the request in the daemon's logs. */
  readonly requestId: string | undefined;
  /** The fields that are wrong, as far as they are known. */
  readonly errors: readonly FieldError[];

  constructor(
    { status, code, title, detail, resolution, errors = [] }: Omit<ErrorResponse, 'type'>,
    requestId?: string,
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.title = title;
    this.resolution = resolution;
    this.requestId = requestId;
    this.errors = errors;
  }
}

export async function problemOf(response: Response): Promise<Problem> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  // A proxy in between may answer with something other than JSON.
  const body: unknown = await response.json().catch(() => undefined);
  if (isErrorResponse(body)) return new Problem(body, requestId);
  const title = response.statusText || `Status ${response.status}`;
  return new Problem({ status: response.status, code: 'unknown', title, detail: title }, requestId);
}

/** Returns the problem of a request without a response. `useProblem` shows it in the user's language. */
export function unreachable(): Problem {
  return new Problem({ status: 0, code: UNREACHABLE, title: UNREACHABLE, detail: UNREACHABLE });
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new Problem({ status: 0, code: 'internal', title: 'Error', detail });
}

function isErrorResponse(body: unknown): body is ErrorResponse {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'title' in body;
}
