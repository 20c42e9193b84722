/** Five failures per user and address in 15 minutes (api.md, Credentials). */
const MOST_FAILURES = 5;
const WINDOW_MS = 15 * 60_000;
/** Combinations that are remembered; beyond it the oldest are dropped, so that guessing names cannot fill the memory. */
const MOST_KEYS = 10_000;

export interface LoginKey {
  username: string;
  address: string;
}

/** Counts failed sign-ins. `now` in milliseconds. */
export interface LoginThrottle {
  /**
   * Takes an attempt, which counts as failed until `succeeded` says otherwise: attempts made at the same time count as well.
   * Returns 0, or the seconds to wait before the next one is looked at.
   */
  attempt(key: LoginKey, now: number): number;
  succeeded(key: LoginKey): void;
}

export function loginThrottle(): LoginThrottle {
  const failures = new Map<string, number[]>();
  return {
    attempt(key, now) {
      const name = nameOf(key);
      const recent = (failures.get(name) ?? []).filter((at) => now - at < WINDOW_MS);
      const [oldest] = recent;
      if (oldest !== undefined && recent.length >= MOST_FAILURES) return Math.ceil((oldest + WINDOW_MS - now) / 1000);
      failures.delete(name);
      failures.set(name, [...recent, now]);
      const [stalest] = failures.keys();
      if (failures.size > MOST_KEYS && stalest !== undefined) failures.delete(stalest);
      return 0;
    },
    succeeded: (key) => void failures.delete(nameOf(key)),
  };
}

/** User names differ only if they differ in more than case. */
function nameOf({ username, address }: LoginKey): string {
  return `${address} ${username.toLowerCase()}`;
}
