import * as z from 'zod';
import { MASKED } from './secret.ts';

/** The document with `MASKED` in place of every secret, wherever it stands. Returns a copy where there are any. */
export function maskSecrets<T>(schema: z.ZodType, document: T): T {
  return mapSecrets([schema], document, { place: '', stored: undefined, replace: () => MASKED }) as T;
}

/**
 * The document with what is stored in place of every `MASKED` secret. Elements of arrays correspond by their `name`, as long as
 * their address stays the same, those without one by their position in an array of the same length. Throws what `missing` makes of the place of a `MASKED` that stands for nothing.
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

/** Every secret in the document, for whoever must know them to hide them. */
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
  /** As in `backups.stores.0.password`. */
  place: string;
  stored: unknown;
  replace: Replace;
}

/** `schemas`: what the value may be; of a union every kind is asked, so that a wrong document hides no less than a right one. */
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
    return value.map((element, index) => below(index, element, counterpart(element, index, { value, formers })));
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
    return formers.find((former) => isRecord(former) && former.name === element.name && isSamePlace(former, element));
  return value.length === formers.length ? formers[index] : undefined;
}

/** Where a secret goes, and how safely. */
const PLACE = ['kind', 'url', 'endpoint', 'host', 'port', 'hostKey', 'insecure'];

/** A secret that nobody may read must not be sent to somebody who could: for another address it has to be known. */
function isSamePlace(former: Record<string, unknown>, element: Record<string, unknown>): boolean {
  return PLACE.every((key) => element[key] === undefined || element[key] === former[key]);
}

/** What a value of this schema may be, without what makes it optional or gives it a default. */
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
