import type { JWK } from 'jose';

/** Returns the key without its private part. */
export function publicPart({ d: _private, ...rest }: JWK): JWK {
  return rest;
}
