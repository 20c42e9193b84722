import { hash } from 'node:crypto';
import { createPending, type PendingOptions } from '../accounts/pending.ts';
import type { PanelOwner } from './panel-sessions.ts';

/** Redirects are followed at once. */
const LIFETIME_MS = 60_000;

interface Entry extends PanelOwner {
  state: string;
  /** Milliseconds. */
  until: number;
}

/**
 * The codes with which a browser comes back from the proxy to the host of a daemon. Each works once, there only, and only in the browser that
 * has set out from there.
 */
export interface PanelEntries {
  /** `state`: of the browser that asks (`stateOf`). */
  issue(owner: PanelOwner, state: string): Promise<string>;
  /** Resolves to `undefined` unless the code is for this daemon and this browser. It is used up in any case. */
  redeem(code: string, by: { daemonId: string; nonce: string }): Promise<PanelOwner | undefined>;
}

export function createPanelEntries(options: PendingOptions): PanelEntries {
  const pending = createPending<Entry>('panel', options);
  return {
    issue: (owner, state) => pending.begin({ ...owner, state, until: options.now() + LIFETIME_MS }),
    async redeem(code, { daemonId, nonce }) {
      const entry = await pending.take(code);
      const isGood =
        entry !== undefined &&
        entry.daemonId === daemonId &&
        entry.state === stateOf(nonce) &&
        entry.until > options.now();
      return isGood ? { sessionId: entry.sessionId, daemonId } : undefined;
    },
  };
}

/** Returns what the proxy's own origin learns of the random value that the browser keeps for the host of the daemon. */
export function stateOf(nonce: string): string {
  return hash('sha256', nonce, 'base64url');
}
