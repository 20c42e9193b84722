/** The values that something may have now: the last acknowledged one, and those requested since then without an answer. */
export interface Expected<T> {
  readonly possible: ReadonlySet<T>;
  /** The value was requested: from now on it is possible. */
  ask(value: T): void;
  /** The request succeeded: it is the only possible value. */
  acknowledge(value: T): void;
  /** The last request was refused: what was possible before it is possible. Others may have been carried out without an answer. */
  refuse(): void;
}

export function expected<T>(initial: T): Expected<T> {
  let possible = new Set([initial]);
  let before = possible;
  return {
    get possible() {
      return possible;
    },
    ask(value) {
      before = possible;
      possible = new Set([...possible, value]);
    },
    acknowledge(value) {
      possible = new Set([value]);
    },
    refuse() {
      possible = before;
    },
  };
}

/** A token whose creation was acknowledged. */
export interface KnownToken {
  id: string;
  token: string;
  valid: Expected<boolean>;
}

/** The state that the owner asked for. */
export type Wish = 'running' | 'stopped';

/** What the owner knows about a server. */
export interface KnownServer {
  id: string;
  /** Its crash policy restarts it after every crash. */
  comesBack: boolean;
  wish: Expected<Wish>;
  /** Ids of the acknowledged backups. */
  backups: Set<string>;
  memoryMb: Expected<number>;
}

/** Everything that was acknowledged and must exist at the end. */
export interface Ledger {
  servers: readonly KnownServer[];
  tokens: KnownToken[];
  burst: Expected<number>;
}
