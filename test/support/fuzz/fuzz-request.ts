import fc from 'fast-check';
import type { OpenApiDocument, OpenApiParameter } from '../../../gateway/openapi/types.ts';
import type { DescribedOperation } from '../openapi/described-operations.ts';
import { hostileText } from './hostile-values.ts';
import { fitting, nearlyFitting } from './schema-values.ts';

/** Kinds of callers. The fuzzed world knows the credentials of each. */
export const CALLERS = ['administrator', 'program', 'reader', 'signed-in', 'nobody', 'forger'] as const;
export type Caller = (typeof CALLERS)[number];

/** The index, modulo their number, of an existing value, or any text. */
type PathValue = { known: number } | { text: string };

/** A request to one operation as plain data, which can be printed and sent again. */
export interface FuzzRequest {
  caller: Caller;
  path: Record<string, PathValue>;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  body?: { text: string; type: string };
}

type Document = Pick<OpenApiDocument, 'components'>;

/** Generates requests to an operation. Most are almost valid, because those reach the most code. */
export function fuzzRequests({ operation }: DescribedOperation, { components }: Document): fc.Arbitrary<FuzzRequest> {
  const { parameters = [], requestBody } = operation;
  const { schemas } = components;
  const within = (place: OpenApiParameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const pathValue: fc.Arbitrary<PathValue> = fc.oneof(
    { weight: 5, arbitrary: fc.record({ known: fc.nat({ max: 15 }) }) },
    { weight: 1, arbitrary: fc.record({ text: hostileText.filter((text) => text !== '') }) },
  );
  const path = fc.record(Object.fromEntries(within('path').map(({ name }) => [name, pathValue])));
  const query = fc
    .tuple(...within('query').map((parameter) => pairs(parameter, schemas)), furtherPairs)
    .map((found) => found.flat());
  const schema = requestBody?.content['application/json']?.schema;
  return fc.record(
    {
      caller: callers(operation.security),
      path,
      query,
      headers: headers(within('header')),
      body: schema ? bodies(schema, schemas) : strayBodies,
    },
    {
      requiredKeys:
        schema && requestBody?.required
          ? ['caller', 'path', 'query', 'headers', 'body']
          : ['caller', 'path', 'query', 'headers'],
    },
  );
}

/** Mostly callers with the right to it; operations of the panel accept only a cookie. */
function callers(security: Record<string, string[]>[]): fc.Arbitrary<Caller> {
  const cookieOnly = security.length === 1 && 'CookieAuth' in (security[0] ?? {});
  return fc.oneof(
    {
      weight: 12,
      arbitrary: fc.constantFrom<Caller>(
        ...(cookieOnly ? ['signed-in' as const] : ['administrator' as const, 'program' as const, 'signed-in' as const]),
      ),
    },
    { weight: 2, arbitrary: fc.constantFrom<Caller>(...CALLERS) },
  );
}

function pairs({ name, required, schema }: OpenApiParameter, schemas: Document['components']['schemas']) {
  const value = fc.oneof(
    { weight: 4, arbitrary: fitting(schema, schemas).map(String) },
    { weight: 1, arbitrary: hostileText },
  );
  const one = value.map((text) => [[name, text] as [string, string]]);
  const twice = fc.tuple(value, value).map(
    ([first, second]) =>
      [
        [name, first],
        [name, second],
      ] as [string, string][],
  );
  return fc.oneof(
    { weight: 10, arbitrary: one },
    { weight: required ? 1 : 6, arbitrary: fc.constant<[string, string][]>([]) },
    { weight: 1, arbitrary: twice },
  );
}

const furtherPairs: fc.Arbitrary<[string, string][]> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<[string, string][]>([]) },
  { weight: 1, arbitrary: fc.tuple(hostileText, hostileText).map((pair): [string, string][] => [pair]) },
);

/** Characters that a header may contain. */
const headerText = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 40 })
  .map((text) => text.trim());

function headers(documented: readonly OpenApiParameter[]): fc.Arbitrary<Record<string, string>> {
  const values = Object.fromEntries(
    documented.map(({ name, example }) => [name, fc.oneof(fc.constant(String(example)), headerText)]),
  );
  const further = {
    accept: fc.constantFrom('*/*', 'text/html', 'application/json;q=0', ''),
    'x-request-id': fc.oneof(fc.constantFrom('mine', 'a'.repeat(65)), headerText),
    prefer: fc.constantFrom('respond-async', 'wait=0', ';;,='),
    'content-encoding': fc.constantFrom('identity', 'gzip'),
    origin: fc.constantFrom('http://evil.example', 'null'),
    'accept-language': headerText,
  };
  // Most requests have no additional parameters, because those are refused.
  const none = fc.constant<Record<string, string>>({});
  const some = fc.record(further, { requiredKeys: [] }) as fc.Arbitrary<Record<string, string>>;
  return fc
    .tuple(
      fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Record<string, string>>,
      fc.oneof({ weight: 5, arbitrary: none }, { weight: 1, arbitrary: some }),
    )
    .map(([known, unknown]) => ({ ...unknown, ...known }));
}

const JSON_TYPE = 'application/json';
const types = fc.oneof(
  { weight: 20, arbitrary: fc.constant(JSON_TYPE) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'application/json; charset=utf-8',
      'application/json; charset=latin1',
      'text/plain',
      'x',
      '',
    ),
  },
);

function bodies(schema: Parameters<typeof fitting>[0], schemas: Document['components']['schemas']) {
  const asText = (value: unknown) => JSON.stringify(value) ?? '';
  const text = fc.oneof(
    { weight: 6, arbitrary: fitting(schema, schemas).map(asText) },
    { weight: 6, arbitrary: nearlyFitting(schema, schemas).map(asText) },
    { weight: 1, arbitrary: malformed },
  );
  return fc.record({ text, type: types });
}

const malformed = fc.constantFrom(
  '{',
  '{"a":1,}',
  '[1',
  '"',
  '{"a":1}{',
  '\ufeff',
  "{'a':1}",
  '{"a":\u0000}',
  'null',
  '[]',
  '7',
  '""',
);

/** Bodies for operations without one. */
const strayBodies = fc.record({ text: fc.constantFrom('', '{}', '{"a":1}', 'x'), type: types });
