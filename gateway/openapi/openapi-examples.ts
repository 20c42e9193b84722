import { ERRORS, type ErrorCode } from '../../shared/errors/catalogue.ts';
import { toErrorResponse } from '../../shared/errors/error-response.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { DEFAULT_PANEL_PORT } from '../../shared/schema/settings.ts';
import { EXAMPLE_TIME, EXAMPLES_BY_NAME } from './examples.ts';
import type { JsonSchema } from './json-schema.ts';

/** One ErrorResponse for each code, as `components.examples`. */
export function errorExamples(codes: Iterable<ErrorCode>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Array.from(codes, (code) => {
      const { title, about } = ERRORS[code];
      const value = toErrorResponse(new GamekeeperError(code, about), `http://127.0.0.1:${DEFAULT_PANEL_PORT}`);
      return [code, { summary: title, value }];
    }),
  );
}

/** Where an example is needed: the components that may be referred to, and the name of the parameter or field. */
interface ExampleFor {
  schemas: Readonly<Record<string, JsonSchema>>;
  name?: string;
}

/**
 * A value that fits a schema, put together from the examples, defaults and constants in it and from what its fields are called.
 * `undefined` where a part that is required has none.
 */
export function exampleOf(schema: JsonSchema, { schemas, name = '' }: ExampleFor): unknown {
  const { $ref, examples, default: usual, enum: choices, anyOf, items, properties } = schema as KnownKeywords;
  if (examples?.[0] !== undefined) return examples[0];
  if ('const' in schema) return schema.const;
  if ($ref !== undefined) return exampleOf(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, { schemas, name });
  if (usual !== undefined) return usual;
  if (choices) return choices[0];
  if (anyOf?.[0]) return exampleOf(anyOf[0], { schemas, name });
  if (items) return [exampleOf(items, { schemas, name })].filter((item) => item !== undefined);
  if (properties) return objectOf(schema as JsonSchema & ObjectSchema, schemas);
  return EXAMPLES_BY_NAME[name] ?? byType(schema);
}

interface KnownKeywords {
  $ref?: string;
  examples?: unknown[];
  default?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
}

interface ObjectSchema {
  properties: Record<string, JsonSchema>;
  required?: string[];
}

/** With every field that has an example; `undefined` where a required one has none. */
function objectOf(
  { properties, required = [] }: ObjectSchema,
  schemas: ExampleFor['schemas'],
): Record<string, unknown> | undefined {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, exampleOf(schema, { schemas, name })] as const,
  );
  const lacks = fields.some(([name, value]) => value === undefined && required.includes(name));
  return lacks ? undefined : Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** For what needs no name to be understood. */
function byType({ type, format, minimum }: JsonSchema): unknown {
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return typeof minimum === 'number' ? minimum : 1;
  return format === 'date-time' ? EXAMPLE_TIME : undefined;
}
