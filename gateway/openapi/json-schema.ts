import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** `input`: what a caller sends (defaults optional). `output`: what we answer, and parsed query values. */
export type Direction = 'input' | 'output';

/** Converts Zod schemas to JSON Schema 2020-12; those with an `id` become components that are referred to. */
export interface SchemaConverter {
  convert(schema: z.ZodType, direction: Direction): JsonSchema;
  /**
   * The components met so far, and `document` with its references pointing at them. A schema that reads differently in the two
   * directions has two: the one for callers gets `Input` behind its id.
   */
  settle<T>(document: T): { document: T; components: Record<string, JsonSchema> };
}

export function schemaConverter(): SchemaConverter {
  const met = { input: new Map<string, JsonSchema>(), output: new Map<string, JsonSchema>() };

  function remember(id: string, definition: JsonSchema, direction: Direction): void {
    const known = met[direction].get(id);
    if (known && JSON.stringify(known) !== JSON.stringify(definition))
      throw new Error(`Two different schemas have the id "${id}".`);
    met[direction].set(id, definition);
  }

  return {
    convert(schema, direction) {
      const { $schema, $defs, ...own } = z.toJSONSchema(schema, { io: direction, override: forPeople });
      const toOurs = (reference: string) => reference.replace('#/$defs/', `#/${direction}/`);
      for (const [id, definition] of Object.entries($defs ?? {}))
        remember(id, withReferences(definition, toOurs) as JsonSchema, direction);
      return withReferences(own, toOurs) as JsonSchema;
    },
    settle(document) {
      const twofold = differing(met);
      const nameOf = (id: string, direction: string) => (direction === 'input' && twofold.has(id) ? `${id}Input` : id);
      const toFinal = (reference: string) =>
        reference.replace(OURS, (_, direction, id) => `#/components/schemas/${nameOf(id, direction)}`);
      const components: Record<string, JsonSchema> = {};
      for (const direction of ['output', 'input'] as const)
        for (const [id, definition] of met[direction])
          components[nameOf(id, direction)] = withReferences(definition, toFinal) as JsonSchema;
      const sorted = Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1));
      return { document: withReferences(document, toFinal) as typeof document, components: Object.fromEntries(sorted) };
    },
  };
}

/** References until the names are settled. */
const OURS = /^#\/(input|output)\/(.+)$/;

/** Leaves out what is true but of no use to a reader. */
function forPeople({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  // Zod states the range of safe integers on every `int()`.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // An answer may get more fields in a later version; only what refuses unknown fields says so.
  if (jsonSchema.additionalProperties === false && !refusesUnknown(zodSchema)) delete jsonSchema.additionalProperties;
}

function refusesUnknown(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodNever;
}

/** Ids whose schemas are not the same in both directions, themselves or in what they refer to. */
function differing({ input, output }: Record<Direction, ReadonlyMap<string, JsonSchema>>): Set<string> {
  const found = new Set<string>();
  const plain = (definition: JsonSchema) => JSON.stringify(withReferences(definition, (to) => to.replace(OURS, '$2')));
  const refersTo = (definition: JsonSchema, id: string) => JSON.stringify(definition).includes(`"#/input/${id}"`);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [id, definition] of input) {
      const other = output.get(id);
      if (!other) continue;
      if (plain(other) !== plain(definition) || [...found].some((one) => refersTo(definition, one))) found.add(id);
    }
  }
  return found;
}

/** A copy in which every reference is what `rename` makes of it. */
function withReferences(value: unknown, rename: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? rename(inner) : withReferences(inner, rename),
    ]),
  );
}
