import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Converts Zod schemas; those with an `id` become shared components. */
export interface SchemaConverter {
  /** `input`: what a caller sends (defaults optional). `output`: what we answer, and parsed query values. */
  convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema;
  /** Components met so far, by id. */
  readonly components: Record<string, JsonSchema>;
}

export function schemaConverter(): SchemaConverter {
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    convert(schema, io) {
      const { $schema, $defs, ...own } = z.toJSONSchema(schema, { io, override: dropSafeIntegerBounds });
      for (const [id, definition] of Object.entries($defs ?? {})) components[id] = relink(definition) as JsonSchema;
      return relink(own) as JsonSchema;
    },
  };
}

/** Zod states the range of safe integers on every `int()`; in a document for people that is noise. */
function dropSafeIntegerBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** References of JSON Schema's own place for definitions, moved to OpenAPI's. */
function relink(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relink);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key === 'id' && typeof inner === 'string' && 'type' in value) return [];
      return key === '$ref' && typeof inner === 'string'
        ? [[key, inner.replace('#/$defs/', '#/components/schemas/')]]
        : [[key, relink(inner)]];
    }),
  );
}
