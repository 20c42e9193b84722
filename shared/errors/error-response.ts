import { ERRORS } from './catalogue.ts';
import type { GamekeeperError } from './gamekeeper-error.ts';

/** The body of every non-2xx answer (reference-api.md, section 2; media type application/problem+json, RFC 9457). */
export interface ErrorResponse {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  resolution?: string;
}

/** Builds the wire form of an error. `docsBase` is the panel's URL, under which `/docs/errors#<code>` is served. */
export function toErrorResponse(error: GamekeeperError, docsBase: string): ErrorResponse {
  return {
    type: `${docsBase}/docs/errors#${error.code}`,
    title: ERRORS[error.code].title,
    status: error.status,
    detail: error.message,
    code: error.code,
    resolution: error.resolution,
  };
}
