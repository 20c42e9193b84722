import * as z from 'zod';
import { MASKED } from './secret.ts';

/** Returns a copy of the document with `MASKED` in place of every secret. */
export function maskSecrets<T>(schema: z.ZodType, document: T): T {
  return mapSecrets([schema], document, { place: '', stored: undefined, replace: () => MASKED }) as T;
}

/**
 * Returns the document with the stored secret in place of every `MASKED`. Array elements correspond by `name`, or without a name by position
 * in an array of the same length, while the address that they name is unchanged. Throws `missing(place)` for a `MASKED` without a stored secret.
 */
export function unmaskSecrets(
  schema: z.ZodType,
  document: unknown,
  { stored, missing }: { stored: unknown; missing: (place: string) => Error },
): unknown {
  const replace: Replace = (secret, { place, stored: former }) => {
    if (secret !== MASKED) return secret;
    if (typeof former === 'string') return former;
    throw missing(place);
  };
  return mapSecrets([schema], document, { place: '', stored, replace });
}

/** Returns every secret in the document. */
export function secretsIn(schema: z.ZodType, document: unknown): string[] {
  const found = new Set<string>();
  const replace: Replace = (secret) => {
    found.add(secret);
    return secret;
  };
  mapSecrets([schema], document, { place: '', stored: undefined, replace });
  return [...found];
}

type Schema = z.core.$ZodType;
type Replace = (secret: string, at: { place: string; stored: unknown }) => string;

interface At {
  /** Such as `backups.stores.0.password`. */
  place: string;
  stored: unknown;
  replace: Replace;
}

/** `schemas`: the alternatives for the value. All members of a union count, so that an invalid document hides as much as a valid one. */
function mapSecrets(schemas: readonly Schema[], value: unknown, at: At): unknown {
  const { place, stored, replace } = at;
  const kinds = schemas.flatMap(alternatives);
  if (typeof value === 'string') return kinds.some(isSecret) ? replace(value, { place, stored }) : value;
  const below = (key: string | number, inner: unknown, former: unknown) =>
    mapSecrets(
      kinds.flatMap((kind) => innerSchema(kind, String(key))),
      inner,
      { place: place === '' ? String(key) : `${place}.${key}`, stored: former, replace },
    );
  if (Array.isArray(value)) {
    const formers = Array.isArray(stored) ? stored : [];
    const elements = kinds.flatMap((kind) => innerSchema(kind, '')).flatMap(alternatives);
    return value.map((element, index) => {
      const former = counterpart(element, index, { value, formers });
      return below(index, element, isSamePlace(elements, former, element) ? former : undefined);
    });
  }
  if (!isRecord(value)) return value;
  const former = isRecord(stored) ? stored : {};
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, below(key, inner, former[key])]));
}

function counterpart(
  element: unknown,
  index: number,
  { value, formers }: { value: readonly unknown[]; formers: readonly unknown[] },
): unknown {
  if (isRecord(element) && typeof element.name === 'string')
    return formers.find((former) => isRecord(former) && former.name === element.name);
  return value.length === formers.length ? formers[index] : undefined;
}

/** Keys that decide where a secret is sent, and how safely. */
const PLACE = ['kind', 'url', 'endpoint', 'host', 'port', 'hostKey', 'insecure'];

/**
 * A stored secret must not be sent to another address: there it must be entered again. A key that is left out is not unchanged, but has its
 * default.
 */
function isSamePlace(kinds: readonly Schema[], former: unknown, element: unknown): boolean {
  if (!isRecord(former) || !isRecord(element)) return true;
  return PLACE.every((key) => {
    const otherwise = kinds.flatMap((kind) => innerSchema(kind, key)).map(defaultOf)[0];
    return (element[key] ?? otherwise) === (former[key] ?? otherwise);
  });
}

function defaultOf(schema: Schema): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'default' ? def.defaultValue : undefined;
}

/** Returns the alternatives of a schema without wrappers such as optional and default. */
function alternatives(schema: Schema): Schema[] {
  if (isSecret(schema)) return [schema];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return alternatives(def.innerType);
    case 'union':
      return def.options.flatMap(alternatives);
    case 'intersection':
      return [def.left, def.right].flatMap(alternatives);
    case 'pipe':
      return [def.in, def.out].flatMap(alternatives);
    default:
      return [schema];
  }
}

function innerSchema(schema: Schema, key: string): Schema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'array') return [def.element];
  if (def.type === 'record') return [def.valueType];
  return def.type === 'object' && Object.hasOwn(def.shape, key) ? [def.shape[key]!] : [];
}

function isSecret(schema: Schema): boolean {
  return z.globalRegistry.get(schema)?.secret === true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
