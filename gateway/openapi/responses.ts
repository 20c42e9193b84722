import type * as z from 'zod';
import { ERRORS, type ErrorCode } from '../../shared/errors/catalogue.ts';
import type { Operation } from '../http/operation.ts';
import { PROBLEM_TYPE } from '../http/problem.ts';
import type { SchemaConverter } from './json-schema.ts';
import type { OpenApiResponse, Reference } from './types.ts';

/** Any operation can fail with these. */
const ALWAYS: readonly ErrorCode[] = [
  'invalid_request',
  'origin_not_allowed',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'daemon_unavailable',
  'shutting_down',
  'insufficient_storage',
];
const WITH_CREDENTIALS: readonly ErrorCode[] = [
  'unauthenticated',
  'insufficient_scope',
  'password_change_required',
  'proxy_unavailable',
];
/** A body is read even if the operation takes none. */
const WITH_BODY: readonly ErrorCode[] = ['body_too_large', 'unsupported_media_type'];

export function responsesOf(
  operation: Operation,
  { response, mayHaveBody }: { response: Record<string, z.ZodType>; mayHaveBody: boolean },
  { schemas, failures }: { schemas: SchemaConverter; failures: FailureResponses },
): Record<string, OpenApiResponse | Reference> {
  const codes = byStatus([
    ...ALWAYS,
    ...(operation.access.kind === 'public' ? [] : WITH_CREDENTIALS),
    ...(operation.unlimited ? [] : (['rate_limited'] as const)),
    ...(mayHaveBody ? WITH_BODY : []),
    ...(operation.errors ?? []),
  ]);
  return {
    ...successes(operation, response, schemas),
    ...Object.fromEntries([...codes].map(([status, known]) => [String(status), failures.of(known.sort())])),
  };
}

function successes(
  operation: Operation,
  response: Record<string, z.ZodType>,
  schemas: SchemaConverter,
): Record<string, OpenApiResponse> {
  const statuses = new Set([...Object.keys(response), ...Object.keys(operation.answers ?? {})]);
  return Object.fromEntries(
    [...statuses].map((status) => {
      const {
        description = operation.summary,
        headers,
        contentType,
        example,
      } = operation.answers?.[Number(status)] ?? {};
      const schema = response[status] ? schemas.convert(response[status], 'output') : undefined;
      const type = contentType ?? (schema ? 'application/json' : undefined);
      const content = { ...(schema && { schema }), ...(example !== undefined && { example }) };
      return [
        status,
        { description, ...(headers && { headers: headersOf(headers) }), ...(type && { content: { [type]: content } }) },
      ];
    }),
  );
}

function headersOf(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

/** Error responses as components: most operations fail in the same ways. */
export interface FailureResponses {
  /** Returns a reference to the response for these codes, which share a status. */
  of(codes: readonly ErrorCode[]): Reference;
  readonly components: Record<string, OpenApiResponse>;
  readonly codes: ReadonlySet<ErrorCode>;
}

export function createFailureResponses(): FailureResponses {
  const components: Record<string, OpenApiResponse> = {};
  const used = new Set<ErrorCode>();
  return {
    components,
    codes: used,
    of(codes) {
      for (const code of codes) used.add(code);
      const name = codes.join('.');
      components[name] ??= {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code].about}`).join(' '),
        content: {
          [PROBLEM_TYPE]: {
            schema: { $ref: '#/components/schemas/ErrorResponse' },
            examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
          },
        },
      };
      return { $ref: `#/components/responses/${name}` };
    },
  };
}

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = ERRORS[code];
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return found;
}
