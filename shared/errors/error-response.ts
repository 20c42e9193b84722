import type { FieldError } from '../domain/field-error.ts';
import { ERRORS } from './catalogue.ts';
import type { GamekeeperError } from './gamekeeper-error.ts';

/** The body of every error (application/problem+json, RFC 9457). */
export interface ErrorResponse {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  resolution?: string;
  errors?: readonly FieldError[];
}

/** `docsBase`: URL that serves `/docs/errors`. */
export function toErrorResponse(error: GamekeeperError, docsBase: string): ErrorResponse {
  return {
    type: `${docsBase}/docs/errors#${error.code}`,
    title: ERRORS[error.code].title,
    status: error.status,
    detail: error.message,
    code: error.code,
    resolution: error.resolution,
    ...(error.errors.length > 0 && { errors: error.errors }),
  };
}
