import { endOfPort, endOfQuad, startOfQuad } from '../clues/quads.ts';
import { isVersionNumber } from '../clues/version-numbers.ts';
import { KIND } from '../kinds.ts';
import { DIGIT, is } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const DOT = 0x2e;

/**
 * An IPv4 address, at its first dot, with its port if it has one: `/203.0.113.7:54321`, `(/203.0.113.7)`, `host/203.0.113.7`. Versions of
 * four numbers look the same: with a port it is an address, otherwise the surroundings decide. Loopback (127.0.0.0/8) and this-network
 * (0.0.0.0/8) addresses stay.
 */
export function ipv4(text: Buffer, dot: number, hits: Hits): number {
  // Fast exit for decimals and versions of three numbers.
  if (text[dot + 2] !== DOT && text[dot + 3] !== DOT && text[dot + 4] !== DOT) {
    return 0;
  }
  const start = startOfQuad(text, dot);
  const before = text[start - 1]!;
  if (is(before, DIGIT) || (before === DOT && is(text[start - 2]!, DIGIT))) {
    return 0;
  }
  const end = endOfQuad(text, start);
  if (end < 0) {
    return 0;
  }
  const endWithPort = endOfPort(text, end);
  if (isLoopback(text, start, dot) || isZero(text, start, dot)) {
    return endWithPort;
  }
  if (endWithPort === end && isVersionNumber(text, start, end, hits)) {
    return end;
  }
  hits.add(start, endWithPort, KIND.ip);
  return endWithPort;
}

function isLoopback(text: Uint8Array, start: number, dot: number): boolean {
  return dot - start === 3 && text[start] === 0x31 && text[start + 1] === 0x32 && text[start + 2] === 0x37;
}

function isZero(text: Uint8Array, start: number, dot: number): boolean {
  for (let at = start; at < dot; at++) {
    if (text[at] !== 0x30) {
      return false;
    }
  }
  return true;
}
