import fc from 'fast-check';
import type { JsonSchema } from '../../../gateway/openapi/json-schema.ts';
import { foreignCharacter, hostileKey, hostileValue } from './hostile-values.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** The keywords that our documents use. Unknown ones are ignored, so that fewer values are valid. */
interface Keywords {
  $ref?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  default?: unknown;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

/** Longer and larger values are generated only at the limits of a schema. */
const USUAL_LENGTH = 24;
const USUAL_ITEMS = 3;

/** Generates values that match a schema, including those at its limits. */
export function fitting(schema: JsonSchema, schemas: Schemas): fc.Arbitrary<unknown> {
  const known = schema as Keywords;
  const chosen = [...(known.examples ?? []), ...('default' in known ? [known.default] : [])];
  const made = structured(known, schemas);
  return chosen.length === 0
    ? made
    : fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...chosen) }, { weight: 2, arbitrary: made });
}

function structured(schema: Keywords, schemas: Schemas): fc.Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, allOf, enum: choices, type } = schema;
  if ($ref !== undefined) return fitting(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  if ('const' in schema) return fc.constant(schema.const);
  if (choices) return fc.constantFrom(...choices);
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return fc.oneof(...alternatives.map((one) => fitting(one, schemas)));
  if (allOf) return fitting(Object.assign({}, ...allOf), schemas);
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => ofType(one, schema, schemas)));
  return ofType(type, schema, schemas);
}

function ofType(type: string | undefined, schema: Keywords, schemas: Schemas): fc.Arbitrary<unknown> {
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer' || type === 'number') return numbers(schema, type);
  if (type === 'string') return texts(schema);
  if (type === 'array') return lists(schema, schemas);
  if (type === 'object') return objects(schema, schemas);
  return fc.jsonValue({ maxDepth: 1 });
}

function numbers(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Keywords,
  type: string,
): fc.Arbitrary<number> {
  const step = type === 'integer' ? 1 : 0.5;
  const min = minimum ?? (exclusiveMinimum === undefined ? -1_000_000 : exclusiveMinimum + step);
  const max = maximum ?? (exclusiveMaximum === undefined ? Math.max(min, 1_000_000) : exclusiveMaximum - step);
  const within = type === 'integer' ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true });
  return fc.oneof({ weight: 1, arbitrary: fc.constantFrom(min, max) }, { weight: 2, arbitrary: within });
}

function texts({
  pattern,
  format,
  minLength = 0,
  maxLength = Number.POSITIVE_INFINITY,
}: Keywords): fc.Arbitrary<string> {
  const fits = (text: string) => [...text].length >= minLength && text.length <= maxLength;
  if (format === 'date-time')
    return fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'uri') return fc.webUrl();
  if (format === 'uuid') return fc.uuid();
  const rule = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  // fast-check would expand a category of characters into a table of all of Unicode for each string.
  if (rule && !rule.source.includes('\\p{') && !rule.source.includes('\\P{'))
    return fc.stringMatching(rule).filter(fits);
  const longest = Math.min(maxLength, minLength + USUAL_LENGTH);
  const atLimits = [minLength, ...(Number.isFinite(maxLength) ? [maxLength] : [])].map((length) => 'x'.repeat(length));
  const any = fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...atLimits) },
    { weight: 2, arbitrary: fc.string({ minLength, maxLength: longest }) },
    { weight: 1, arbitrary: fc.string({ unit: foreignCharacter, minLength, maxLength: longest }).filter(fits) },
  );
  return rule ? any.filter((text) => rule.test(text)) : any;
}

function lists({ items = {}, minItems = 0, maxItems = minItems + USUAL_ITEMS }: Keywords, schemas: Schemas) {
  return fc.array(fitting(items, schemas), {
    minLength: minItems,
    maxLength: Math.min(maxItems, minItems + USUAL_ITEMS),
  });
}

function objects(schema: Keywords, schemas: Schemas): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, fitting(inner, schemas)])),
    { requiredKeys: required },
  );
  if (typeof additionalProperties !== 'object') return named;
  const keys = (propertyNames ? fitting(propertyNames, schemas) : fc.string({ maxLength: 12 })) as fc.Arbitrary<string>;
  const further = fc.dictionary(
    keys.filter((key) => key !== '__proto__' && !(key in properties)),
    fitting(additionalProperties, schemas),
    { maxKeys: USUAL_ITEMS },
  );
  return fc.tuple(named, further).map(([known, unknown]) => ({ ...unknown, ...known }));
}

/** Generates values that almost match: one part of them is replaced, missing or additional. */
export function nearlyFitting(schema: JsonSchema, schemas: Schemas): fc.Arbitrary<unknown> {
  const change = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('replace' as const), value: hostileValue }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const), key: hostileKey, value: hostileValue }) },
  );
  return fc.tuple(fitting(schema, schemas), fc.nat(), change).map(([value, where, how]) => changed(value, where, how));
}

type Change = { kind: 'replace'; value: unknown } | { kind: 'remove' } | { kind: 'add'; key: string; value: unknown };

/** Returns a copy of a JSON value with one part changed: the one with index `where` modulo their number. */
function changed(value: unknown, where: number, how: Change): unknown {
  const copy: unknown = structuredClone(value);
  const places: { parent: Record<string, unknown>; key: string }[] = [];
  const root = { root: copy };
  const walk = (parent: object) => {
    for (const key of Object.keys(parent)) {
      places.push({ parent: parent as Record<string, unknown>, key });
      const inner = (parent as Record<string, unknown>)[key];
      if (typeof inner === 'object' && inner !== null) walk(inner);
    }
  };
  walk(root);
  const { parent, key } = places[where % places.length]!;
  if (how.kind === 'replace') put(parent, key, how.value);
  else if (how.kind === 'add') {
    const inner = parent[key];
    const target = typeof inner === 'object' && inner !== null ? inner : parent;
    if (Array.isArray(target)) target.push(how.value);
    else put(target, how.key, how.value);
  } else if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
  return root.root;
}

/** Sets an own field of any name. Assigning `__proto__` would set the prototype instead. */
function put(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
