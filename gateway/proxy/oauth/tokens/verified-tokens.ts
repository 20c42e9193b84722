import { hash } from 'node:crypto';
import type { CheckedToken } from './checked-token.ts';

/** At about 400 bytes each. */
const MOST = 10_000;

/** Remembers tokens whose signature and claims were found good, so that the next use costs a look-up. Says nothing about revoked grants. */
export interface VerifiedTokens {
  /** `now` in milliseconds. */
  find(token: string, audience: string, now: number): CheckedToken | undefined;
  add(token: string, audience: string, checked: CheckedToken): void;
  forget(token: string, audience: string): void;
  /** Forgets all, because the keys have changed. */
  clear(): void;
}

export function createVerifiedTokens(): VerifiedTokens {
  const known = new Map<string, CheckedToken>();
  // Not the token itself: a copy of the memory should not contain ten thousand of them.
  const nameOf = (token: string, audience: string) => hash('sha256', `${audience} ${token}`, 'base64');
  return {
    find(token, audience, now) {
      const name = nameOf(token, audience);
      const checked = known.get(name);
      if (checked === undefined || checked.expiresAt.getTime() > now) return checked;
      known.delete(name);
      return undefined;
    },
    add(token, audience, checked) {
      known.set(nameOf(token, audience), checked);
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    },
    forget: (token, audience) => void known.delete(nameOf(token, audience)),
    clear: () => known.clear(),
  };
}
