import { endOfPort, endOfQuad } from '../clues/quads.ts';
import { KIND } from '../kinds.ts';
import { ALNUM, DIGIT, HEX, IDENTIFIER, is, latin1, SPACE, skip, skipBack } from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const COLON = 0x3a;
const DOT = 0x2e;
const PERCENT = 0x25;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const ZERO = 0x30;
const ONE = 0x31;

/**
 * An IPv6 address at its first colon, compressed or not, with zone, brackets and port: Java prints
 * `/[2001:db8:0:0:0:0:0:1]:54321`, and before 9 `/2001:db8:0:0:0:0:0:1:54321`. `::` and `::1` stay. A time of day has
 * too few groups, a certificate's fingerprint too many.
 */
export function ipv6(text: Buffer, colon: number, hits: Hits): number {
  const next = text[colon + 1]!;
  const double = next === COLON;
  const start = skipBack(text, colon, HEX, 5);
  if (!(double || (start < colon && is(next, HEX))) || isInsideWord(text, start)) {
    return 0;
  }
  const address = readAddress(text, start);
  // `IP2001:db8::1`, but not the `ce` of `source:2001:db8::1`.
  const isGlued = is(text[start - 1]!, IDENTIFIER);
  if (address === undefined || (isGlued && !(address.certain && hasDigit(text, start, colon)))) {
    return 0;
  }
  let from = start;
  let end = address.end;
  if (text[end] === PERCENT && is(text[end + 1]!, ALNUM)) {
    end = endOfPort(text, skip(text, end + 1, IDENTIFIER, 32));
  }
  if (text[start - 1] === OPEN && text[end] === CLOSE) {
    const port = endOfPort(text, end + 1);
    if (port > end + 1) {
      from = start - 1;
      end = port;
    }
  }
  if (!isLocal(text, start, address.bodyEnd)) {
    hits.add(from, end, KIND.ip);
  }
  return end;
}

interface Address {
  /** Behind the address itself. */
  readonly bodyEnd: number;
  /** Behind the port too that Java 8 appends without brackets. */
  readonly end: number;
  /** Nothing else looks like it, even with letters around. */
  readonly certain: boolean;
}

function readAddress(text: Uint8Array, start: number): Address | undefined {
  let at = start;
  let groups = 0;
  let compressed = false;
  let digits = false;
  let port = false;
  for (;;) {
    const end = skip(text, at, HEX, 6);
    if (end > at) {
      if (isDotDigit(text, end) && groups >= 1) {
        const quad = endOfQuad(text, at);
        return quad > 0 && (compressed ? groups <= 5 : groups === 6)
          ? { bodyEnd: quad, end: quad, certain: true }
          : undefined;
      }
      const isWhole = (compressed && text[at - 2] !== COLON) || groups === 8;
      if (is(text[end]!, IDENTIFIER) && isWhole) {
        at--; // `2001:db8::1:connected`
        break;
      }
      port = end - at > 4;
      if (port && !(end - at === 5 && skip(text, at, DIGIT) === end)) {
        return undefined;
      }
      digits ||= hasDigit(text, at, end);
      groups++;
    }
    if (text[end] !== COLON || port) {
      at = end;
      break;
    }
    if (text[end + 1] === COLON) {
      if (compressed) {
        return undefined;
      }
      compressed = true;
      at = end + 2;
      if (!is(text[at]!, HEX)) {
        break;
      }
      continue;
    }
    if (groups > 8 || !is(text[end + 1]!, HEX)) {
      at = end;
      break;
    }
    at = end + 1;
  }
  const goesOn = text[at] === COLON && (text[at + 1] === COLON || (groups > 8 && !is(text[at + 1]!, SPACE)));
  if (goesOn || isDotDigit(text, at)) {
    return undefined;
  }
  const lastColon = skipBack(text, at, HEX, 6) - 1;
  const withPort = port || (!compressed && groups === 9 && skip(text, lastColon + 1, DIGIT) === at);
  const ownGroups = withPort ? groups - 1 : groups;
  if (groups === 9 && areOctets(text, start, at)) {
    return undefined; // a certificate's serial number
  }
  const whole = compressed ? ownGroups <= 7 && (digits || groups >= 4 || groups === 0) : ownGroups === 8;
  const certain = digits && ownGroups >= 3;
  return whole && (certain || !is(text[at]!, IDENTIFIER))
    ? { bodyEnd: withPort ? lastColon : at, end: at, certain }
    : undefined;
}

/** Whether all groups have two digits. */
function areOctets(text: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 3) {
    if (skip(text, at, HEX, 3) !== at + 2) {
      return false;
    }
  }
  return true;
}

/** `Foo::bar`, `v1.2::3` and the second colon of a run that was looked at before. */
function isInsideWord(text: Uint8Array, start: number): boolean {
  switch (text[start - 1]) {
    case COLON:
      return !isLabel(text, start - 1);
    case DOT:
      return is(text[start - 2]!, DIGIT);
    case PERCENT:
      return true;
    default:
      return text[start] === COLON && is(text[start - 1]!, IDENTIFIER);
  }
}

/** Whether what ends at a colon before the address is no part of it: `addr:2001:db8::1`. */
function isLabel(text: Uint8Array, colon: number): boolean {
  const start = skipBack(text, colon, IDENTIFIER, LONGEST_LABEL);
  const isGroup = colon - start <= 4 && skip(text, start, HEX) >= colon;
  return start === colon ? text[colon - 1] !== COLON && text[colon - 1] !== DOT : !isGroup;
}

const LONGEST_LABEL = 32;

function isDotDigit(text: Uint8Array, at: number): boolean {
  return text[at] === DOT && is(text[at + 1]!, DIGIT);
}

function hasDigit(text: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (is(text[at]!, DIGIT)) {
      return true;
    }
  }
  return false;
}

/** `::`, `::1` and their long forms, also of an embedded `127.0.0.1`. */
function isLocal(text: Buffer, start: number, end: number): boolean {
  let at = start;
  while (text[at] === ZERO || text[at] === COLON) {
    at++;
  }
  if (at >= end || (text[at] === ONE && at + 1 === end)) {
    return true;
  }
  const address = latin1(text, start, end).toLowerCase();
  return /^(?:0{1,4}:|:)+(?:ffff:)?127\.\d/.test(address);
}
