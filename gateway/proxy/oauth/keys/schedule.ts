const DAY_S = 24 * 60 * 60;

/** What keys are for. `signing`: tokens. `cookies`: the cookies of oidc-provider. */
export const PURPOSES = ['signing', 'cookies'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** A new key takes over after this time. */
const ROTATED_AFTER_S = 90 * DAY_S;
/** Everybody who checks tokens knows a key for this long before it signs any. */
export const PUBLISHED_AHEAD_S = DAY_S;
/** How long a key is accepted after it has signed for the last time: longer than any token or session cookie lives. */
const ACCEPTED_S: Readonly<Record<Purpose, number>> = { signing: DAY_S, cookies: 15 * DAY_S };

/** When a key does what, seconds since 1970. All is settled when it is made, so that every replica comes to the same result by itself. */
export interface KeyDates {
  /** Counts up. */
  generation: number;
  publishedAt: number;
  signsFrom: number;
}

export type KeyState = 'next' | 'signing' | 'previous' | 'retired';

export type Scheduled<Key> = Key & { state: KeyState /** None before its successor is known. */; retiresAt?: number };

/** Returns the keys of one purpose with what each is now: the one that signs first, then those that still count, then those to come. */
export function schedule<Key extends KeyDates>(purpose: Purpose, keys: readonly Key[], now: number): Scheduled<Key>[] {
  const ascending = keys.toSorted((a, b) => a.generation - b.generation);
  // If the clock is wrong and none has begun, the oldest signs.
  const signing = ascending.findLast(({ signsFrom }) => signsFrom <= now) ?? ascending[0];
  const withState = ascending.map((key, index): Scheduled<Key> => {
    const successor = ascending[index + 1];
    const retiresAt = successor && successor.signsFrom + ACCEPTED_S[purpose];
    const state = stateOf(key, signing, retiresAt !== undefined && retiresAt <= now);
    return { ...key, state, ...(retiresAt !== undefined && { retiresAt }) };
  });
  const inState = (wanted: KeyState) => withState.filter(({ state }) => state === wanted);
  return [...inState('signing'), ...inState('previous').reverse(), ...inState('next'), ...inState('retired')];
}

function stateOf(key: KeyDates, signing: KeyDates | undefined, isOver: boolean): KeyState {
  if (key === signing) return 'signing';
  if (signing && key.generation > signing.generation) return 'next';
  return isOver ? 'retired' : 'previous';
}

/** Returns whether the newest key has signed for so long that another should be made. */
export function isRotationDue(keys: readonly KeyDates[], now: number): boolean {
  return keys.every(({ signsFrom }) => signsFrom + ROTATED_AFTER_S <= now);
}
