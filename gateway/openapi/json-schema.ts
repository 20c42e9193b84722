import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** `input`: what a caller sends (fields with a default are optional). `output`: what we answer, and parsed query values. */
export type Direction = 'input' | 'output';

/** Converts Zod schemas to JSON Schema 2020-12. A schema with an `id` becomes a component, and a reference to it. */
export interface SchemaConverter {
  convert(schema: z.ZodType, direction: Direction): JsonSchema;
  /**
   * Returns the components converted so far, and `document` with its references pointing at them. A schema that differs between the two
   * directions becomes two components: the input gets the suffix `Input`.
   */
  settle<T>(document: T): { document: T; components: Record<string, JsonSchema> };
}

/** A reference before `settle` decides on the component's name. */
const UNSETTLED = /^#\/(input|output)\/(.+)$/;

export function createSchemaConverter(): SchemaConverter {
  const definitions = { input: new Map<string, JsonSchema>(), output: new Map<string, JsonSchema>() };

  function remember(id: string, definition: JsonSchema, direction: Direction): void {
    const known = definitions[direction].get(id);
    if (known && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`Two different schemas have the id "${id}".`);
    definitions[direction].set(id, definition);
  }

  /** Returns whether a component, or one that it refers to, differs between the two directions. */
  function differs(id: string, seen = new Set<string>()): boolean {
    const input = definitions.input.get(id);
    const output = definitions.output.get(id);
    if (!input || !output || seen.has(id)) return false;
    seen.add(id);
    const text = JSON.stringify(input).replaceAll('"#/input/', '"#/output/');
    return (
      text !== JSON.stringify(output) ||
      [...text.matchAll(/"#\/output\/([^"]+)"/g)].some(([, inner = '']) => differs(inner, seen))
    );
  }

  return {
    convert(schema, direction) {
      const { $schema, $defs, ...own } = z.toJSONSchema(schema, { io: direction, override: removeNoise });
      const rename = (reference: string) => reference.replace('#/$defs/', `#/${direction}/`);
      for (const [id, definition] of Object.entries($defs ?? {}))
        remember(id, renameReferences(definition, rename) as JsonSchema, direction);
      return renameReferences(own, rename) as JsonSchema;
    },
    settle(document) {
      const twofold = new Set([...definitions.input.keys()].filter((id) => differs(id)));
      const nameOf = (id: string, direction: string) => (direction === 'input' && twofold.has(id) ? `${id}Input` : id);
      const rename = (reference: string) =>
        reference.replace(UNSETTLED, (_, direction, id) => `#/components/schemas/${nameOf(id, direction)}`);
      const components: Record<string, JsonSchema> = {};
      for (const direction of ['output', 'input'] as const)
        for (const [id, definition] of definitions[direction])
          components[nameOf(id, direction)] = renameReferences(definition, rename) as JsonSchema;
      const sorted = Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1));
      return {
        document: renameReferences(document, rename) as typeof document,
        components: Object.fromEntries(sorted),
      };
    },
  };
}

/** Removes parts that are true but useless to a reader. */
function removeNoise({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  // Our own mark (shared/schema/secret.ts), which OpenAPI does not know; it says `writeOnly` as well.
  delete jsonSchema.secret;
  // Zod states the range of safe integers on every `int()`.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // A later version may add fields to an answer: only schemas that reject unknown fields say so.
  if (jsonSchema.additionalProperties === false && !rejectsUnknownFields(zodSchema))
    delete jsonSchema.additionalProperties;
}

function rejectsUnknownFields(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodNever;
}

function renameReferences(value: unknown, rename: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? rename(inner) : renameReferences(inner, rename),
    ]),
  );
}
