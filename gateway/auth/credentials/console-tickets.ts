import { randomBytes } from 'node:crypto';
import type { Identity } from '../identity.ts';

/** A ticket is used at once by the page that asked for it (api.md, Console WebSocket). */
const LIFE_MS = 30_000;
const SECRET_BYTES = 32;
/** Unused tickets that are kept; a caller that only asks for more loses its oldest. */
const MOST_TICKETS = 10_000;

/** Single-use stand-ins for a credential, for browsers' WebSockets, which cannot send headers. Good for one instance's console only. */
export interface ConsoleTickets {
  issue(identity: Identity, instanceId: string, now: number): { ticket: string; expiresAt: string };
  /** Whom the ticket stands for; it is used up by this, whatever the answer. */
  redeem(ticket: string, instanceId: string, now: number): Identity | undefined;
  /** Takes back the tickets that a credential has, or all of them. */
  forget(credential?: string): void;
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
      if (!known || known.expiresAt <= now || known.instanceId !== instanceId) return undefined;
      return known.identity.expiresAt > now ? known.identity : undefined;
    },
    forget(credential) {
      for (const [ticket, { identity }] of tickets)
        if (credential === undefined || identity.credential === credential) tickets.delete(ticket);
    },
  };
}
