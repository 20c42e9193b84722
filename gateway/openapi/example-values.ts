import { ERRORS, type ErrorCode } from '../../shared/errors/catalogue.ts';
import { toErrorResponse } from '../../shared/errors/error-response.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { DEFAULT_PANEL_PORT } from '../../shared/schema/settings.ts';
import { EXAMPLE_TIME, EXAMPLES_BY_NAME } from './examples.ts';
import type { JsonSchema } from './json-schema.ts';
import type { OpenApiOperation } from './types.ts';

type Components = Readonly<Record<string, JsonSchema>>;

/** Adds an example to every parameter and body that has none, if one can be derived from its schema. */
export function addExamples(operation: OpenApiOperation, components: Components): void {
  const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
    part === undefined || '$ref' in part ? [] : Object.values(part.content ?? {}),
  );
  for (const content of contents) {
    if (content.schema === undefined || 'example' in content || 'examples' in content) continue;
    const example = exampleOf(content.schema, components);
    if (example !== undefined) content.example = example;
  }
  for (const parameter of operation.parameters ?? [])
    parameter.example ??= exampleOf(parameter.schema, components, parameter.name);
}

export function errorExamples(codes: Iterable<ErrorCode>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Array.from(codes, (code) => {
      const { title, about } = ERRORS[code];
      const value = toErrorResponse(new GamekeeperError(code, about), `http://127.0.0.1:${DEFAULT_PANEL_PORT}`);
      return [code, { summary: title, value }];
    }),
  );
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

/**
 * Derives a value from a schema's own examples, constants and defaults, and from the names of its fields (`name`: of this one). Returns
 * `undefined` if a required part has none.
 */
function exampleOf(schema: JsonSchema, components: Components, name = ''): unknown {
  const { $ref, examples, default: byDefault, enum: choices, anyOf, items, properties } = schema as KnownKeywords;
  if (examples?.[0] !== undefined) return examples[0];
  if ('const' in schema) return schema.const;
  if ($ref !== undefined) return exampleOf(components[$ref.split('/').at(-1) ?? ''] ?? {}, components, name);
  if (byDefault !== undefined) return byDefault;
  if (choices) return choices[0];
  if (anyOf?.[0]) return exampleOf(anyOf[0], components, name);
  if (items) return [exampleOf(items, components, name)].filter((item) => item !== undefined);
  if (properties) return objectExample(schema as JsonSchema & ObjectSchema, components);
  return EXAMPLES_BY_NAME[name] ?? exampleOfType(schema);
}

interface ObjectSchema {
  properties: Record<string, JsonSchema>;
  required?: string[];
}

function objectExample(
  { properties, required = [] }: ObjectSchema,
  components: Components,
): Record<string, unknown> | undefined {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, exampleOf(schema, components, name)] as const,
  );
  if (fields.some(([name, value]) => value === undefined && required.includes(name))) return undefined;
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function exampleOfType({ type, format, minimum }: JsonSchema): unknown {
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return typeof minimum === 'number' ? minimum : 1;
  return format === 'date-time' ? EXAMPLE_TIME : undefined;
}
