import { randomBytes } from 'node:crypto';
import type { Identity } from '../identity.ts';

/** The page that requests a ticket uses it at once. Milliseconds. */
const LIFE_MS = 30_000;
const SECRET_BYTES = 32;
/** How many unused tickets are kept. Beyond that, the oldest are dropped. */
const MOST_TICKETS = 10_000;

/** Single-use credentials for one instance's console, because browsers cannot send headers with a WebSocket. */
export interface ConsoleTickets {
  issue(identity: Identity, instanceId: string, now: number): { ticket: string; expiresAt: string };
  /**
   * Returns the ticket's owner as it was issued: the caller checks that the owner's credential is still valid. Uses the ticket up even if it is
   * for another instance.
   */
  redeem(ticket: string, instanceId: string, now: number): Identity | undefined;
}

export function createConsoleTickets(): ConsoleTickets {
  const tickets = new Map<string, { identity: Identity; instanceId: string; expiresAt: number }>();
  return {
    issue(identity, instanceId, now) {
      for (const [ticket, { expiresAt }] of tickets) {
        if (expiresAt > now && tickets.size < MOST_TICKETS) break;
        tickets.delete(ticket);
      }
      const ticket = randomBytes(SECRET_BYTES).toString('base64url');
      tickets.set(ticket, { identity, instanceId, expiresAt: now + LIFE_MS });
      return { ticket, expiresAt: new Date(now + LIFE_MS).toISOString() };
    },
    redeem(ticket, instanceId, now) {
      const known = tickets.get(ticket);
      tickets.delete(ticket);
      if (!known || known.instanceId !== instanceId) return undefined;
      // A ticket from the future was issued before the clock was set back.
      const left = known.expiresAt - now;
      return left > 0 && left <= LIFE_MS ? known.identity : undefined;
    },
  };
}
