/** What something may be now: the last value that was acknowledged, and those that were asked for since without an answer. */
export interface Expected<T> {
  readonly possible: ReadonlySet<T>;
  /** Asked for: from now on it may be so. */
  ask(value: T): void;
  /** Answered with success: it is so. */
  acknowledge(value: T): void;
  /** Refused: it did not become so. */
  refuse(value: T): void;
}

export function expected<T>(initial: T): Expected<T> {
  let possible = new Set([initial]);
  let settled = initial;
  return {
    get possible() {
      return possible;
    },
    ask: (value) => void possible.add(value),
    acknowledge(value) {
      settled = value;
      possible = new Set([value]);
    },
    refuse(value) {
      if (value !== settled) possible.delete(value);
    },
  };
}

/** A token that was acknowledged. */
export interface KnownToken {
  id: string;
  token: string;
  /** Whether it is valid. */
  valid: Expected<boolean>;
}

export type Wish = 'running' | 'stopped';

/** A server's owner's knowledge of it. */
export interface KnownServer {
  id: string;
  /** Its crash policy restarts it whatever happens to it. */
  comesBack: boolean;
  wish: Expected<Wish>;
  /** Backups that were answered with success. */
  backups: Set<string>;
  memoryMb: Expected<number>;
}

/** All that was acknowledged, and must be there in the end. */
export interface Ledger {
  servers: readonly KnownServer[];
  tokens: KnownToken[];
  burst: Expected<number>;
}
