import { hash } from 'node:crypto';

const MOST = 10_000;

/** Cookies that were good a moment ago. Says nothing about now. */
export interface KnownCookies {
  has(value: string): boolean;
  add(value: string): void;
  delete(value: string): void;
}

export function createKnownCookies(): KnownCookies {
  const known = new Set<string>();
  // Not the value itself: a copy of the memory should not contain ten thousand of them.
  const nameOf = (value: string) => hash('sha256', value, 'base64');
  return {
    has: (value) => known.has(nameOf(value)),
    add(value) {
      known.add(nameOf(value));
      const [oldest] = known;
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    },
    delete: (value) => void known.delete(nameOf(value)),
  };
}
