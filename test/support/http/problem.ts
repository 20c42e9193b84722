import type { Test } from 'tap';
import { ERRORS, type ErrorCode } from '../../../shared/errors/catalogue.ts';

interface Answer {
  statusCode: number;
  headers: Record<string, unknown>;
  json(): unknown;
}

/** Asserts that a response is a complete error of this code with the right media type. */
export function isProblem(t: Test, answer: Answer, code: ErrorCode, message: string = code): void {
  const { status, title } = ERRORS[code];
  t.equal(answer.statusCode, status, `${message}: status`);
  t.equal(answer.headers['content-type'], 'application/problem+json', `${message}: media type`);
  t.ok(answer.headers['x-request-id'], `${message}: request id`);
  const body = answer.json();
  t.match(
    body,
    { type: `http://127.0.0.1:25580/docs/errors#${code}`, title, status, detail: /./, code, resolution: /./ },
    `${message}: body`,
  );
  const { errors, ...rest } = body as { errors?: unknown[] };
  t.ok(errors === undefined || (code === 'invalid_request' && errors.length > 0), `${message}: fields`);
  t.same(Object.keys(rest).sort(), ['code', 'detail', 'resolution', 'status', 'title', 'type']);
}
