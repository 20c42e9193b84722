import type { EdgeLimits } from '../edge-config.ts';
import type { Usage } from '../tunnels/usage.ts';
import { type Bandwidth, createBandwidth } from './bandwidth.ts';

interface Account {
  bandwidth: Bandwidth;
  /** Ends the connection of each player. */
  players: Set<() => void>;
  isSpent: boolean;
}

/** The players of all accounts, within the limits of each. */
export class AccountTraffic {
  readonly #limits: EdgeLimits;
  readonly #usage: Pick<Usage, 'add' | 'read'>;
  readonly #accounts = new Map<string, Account>();
  #bytes = 0;

  constructor(limits: EdgeLimits, usage: Pick<Usage, 'add' | 'read'>) {
    this.#limits = limits;
    this.#usage = usage;
  }

  /** Bytes that have passed since the start. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Players of all accounts at this moment. */
  get players(): number {
    return [...this.#accounts.values()].reduce((sum, { players }) => sum + players.size, 0);
  }

  /** Looks up what the account has used. Call it before its first player. */
  async learn(accountId: string): Promise<void> {
    this.written(accountId, await this.#usage.read(accountId));
  }

  /** Ends the connections of an account that has used up its month. */
  written(accountId: string, total: number): void {
    const account = this.#account(accountId);
    account.isSpent = total >= this.#limits.bytesPerMonth;
    if (account.isSpent) for (const end of account.players) end();
  }

  /** Returns why the account may not have another player. */
  refusal(accountId: string): 'full' | 'spent' | undefined {
    const { players, isSpent } = this.#account(accountId);
    if (isSpent) return 'spent';
    return players.size >= this.#limits.players ? 'full' : undefined;
  }

  /** Counts a player until the returned function is called. */
  enter(accountId: string, end: () => void): () => void {
    const { players } = this.#account(accountId);
    players.add(end);
    return () => void players.delete(end);
  }

  /** Counts bytes. Returns how long to wait before the next ones, in milliseconds. */
  take(accountId: string, bytes: number): number {
    this.#count(accountId, bytes);
    return this.#account(accountId).bandwidth.take(bytes);
  }

  /** Counts bytes that can be dropped. Returns false if they should be. */
  tryTake(accountId: string, bytes: number): boolean {
    const isTaken = this.#account(accountId).bandwidth.tryTake(bytes);
    if (isTaken) this.#count(accountId, bytes);
    return isTaken;
  }

  #count(accountId: string, bytes: number): void {
    this.#bytes += bytes;
    this.#usage.add(accountId, bytes);
  }

  #account(accountId: string): Account {
    let account = this.#accounts.get(accountId);
    if (!account) {
      account = { bandwidth: createBandwidth(this.#limits.bytesPerSecond), players: new Set(), isSpent: false };
      this.#accounts.set(accountId, account);
    }
    return account;
  }
}
