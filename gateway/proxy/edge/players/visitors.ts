import { createRateLimit } from '../../../../shared/node/rate-limit.ts';

/** Limits for the connections of people whom nobody knows yet. Each counts for an IPv4 address or an IPv6 network of 64 bits. */
interface VisitorLimits {
  /** New connections. */
  perSecond: number;
  burst: number;
  /** Connections that have not said what they want. */
  handshakes: number;
  /** The same of all addresses. Beyond it, the oldest is closed. */
  allHandshakes: number;
  /** Connections to one server. */
  ofServer: number;
}

/** All addresses together. A process has some thousand file descriptors. */
const ALL_HANDSHAKES = 4_096;

/** Returns limits for addresses that may have so many connections to one server. */
export function visitorLimits(ofServer: number): VisitorLimits {
  return {
    perSecond: ofServer / 4,
    burst: 3 * ofServer,
    handshakes: ofServer,
    allHandshakes: ALL_HANDSHAKES,
    ofServer,
  };
}

/** Counts connections, so that no visitor can take the places of others. */
export interface Visitors {
  /** Returns false if this address opens too many connections. */
  arrives(group: string): boolean;
  /** Returns how to tell that the handshake is over; `undefined` if the address has too many under way. `close` ends the connection. */
  beginsHandshake(group: string, close: () => void): (() => void) | undefined;
  /** Returns how to give the place back; `undefined` if the address has too many connections to this server. */
  enters(group: string, tunnelId: string): (() => void) | undefined;
}

export function createVisitors(limits: VisitorLimits, now: () => number = Date.now): Visitors {
  const rate = createRateLimit(() => ({ requestsPerSecond: limits.perSecond, burst: limits.burst }));
  /** Oldest first. */
  const handshakes = new Set<{ close: () => void }>();
  const counts = new Map<string, number>();

  function take(key: string, most: number): (() => void) | undefined {
    const count = counts.get(key) ?? 0;
    if (count >= most) return undefined;
    counts.set(key, count + 1);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    };
  }

  return {
    arrives: (group) => rate.take(group, now()) === 0,
    beginsHandshake(group, close) {
      const leave = take(`handshake ${group}`, limits.handshakes);
      if (!leave) return undefined;
      const [oldest] = handshakes;
      if (oldest && handshakes.size >= limits.allHandshakes) oldest.close();
      const handshake = { close };
      handshakes.add(handshake);
      return () => {
        handshakes.delete(handshake);
        leave();
      };
    },
    enters: (group, tunnelId) => take(`${tunnelId} ${group}`, limits.ofServer),
  };
}
