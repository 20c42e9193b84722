import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../../gateway/openapi/types.ts';

/** Checks values against the schemas of an OpenAPI document. */
export interface DocumentSchemas {
  /** Returns the check for the schema at this path of the document, such as `['paths', '/health', 'get', ...]`. Compiled once. */
  at(place: readonly string[]): ValidateFunction;
}

/** `closed`: objects without `additionalProperties` reject further fields, so that responses have only documented fields. */
export function documentSchemas(document: OpenApiDocument, { closed = false } = {}): DocumentSchemas {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...(closed ? (withoutFurtherFields(document) as OpenApiDocument) : document) });
  const made = new Map<string, ValidateFunction>();
  return {
    at(place) {
      const pointer = place.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
      const reference = `document#${pointer.join('')}`;
      const validate = made.get(reference) ?? ajv.compile({ $ref: reference });
      made.set(reference, validate);
      return validate;
    },
  };
}

function withoutFurtherFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFurtherFields);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutFurtherFields(item)]));
  const open = inner.type === 'object' && 'properties' in inner && !('additionalProperties' in inner);
  return open ? { ...inner, additionalProperties: false } : inner;
}
