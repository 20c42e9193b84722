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
 * An IPv6 address, at its first colon, compressed or not, with zone, brackets and port: Java prints `/[2001:db8:0:0:0:0:0:1]:54321`, up to
 * Java 8 `/2001:db8:0:0:0:0:0:1:54321`. `::` and `::1` stay. A time of day has too few groups, a certificate's fingerprint too many.
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
  /** The end of the address itself. */
  readonly bodyEnd: number;
  /** The end with the port that Java 8 appends without brackets. */
  readonly end: number;
  /** Nothing else has this form, even with letters around it. */
  readonly certain: boolean;
}

/** The groups of an address that were read so far. */
interface Groups {
  count: number;
  /** `::` stands for more groups. */
  compressed: boolean;
  digits: boolean;
  /** The last group can only be a port. */
  port: boolean;
}

function readAddress(text: Uint8Array, start: number): Address | undefined {
  const groups: Groups = { count: 0, compressed: false, digits: false, port: false };
  for (let at = start; ; ) {
    const end = skip(text, at, HEX, 6);
    if (end > at) {
      if (isDotDigit(text, end) && groups.count >= 1) {
        return embeddedQuad(text, at, groups);
      }
      const isWhole = (groups.compressed && text[at - 2] !== COLON) || groups.count === 8;
      if (is(text[end]!, IDENTIFIER) && isWhole) {
        return judged(text, start, at - 1, groups); // `2001:db8::1:connected`
      }
      groups.port = end - at > 4;
      if (groups.port && !(end - at === 5 && skip(text, at, DIGIT) === end)) {
        return undefined;
      }
      groups.digits ||= hasDigit(text, at, end);
      groups.count++;
    }
    if (text[end] !== COLON || groups.port) {
      return judged(text, start, end, groups);
    }
    if (text[end + 1] === COLON) {
      if (groups.compressed) {
        return undefined;
      }
      groups.compressed = true;
      at = end + 2;
      if (!is(text[at]!, HEX)) {
        return judged(text, start, at, groups);
      }
    } else if (groups.count > 8 || !is(text[end + 1]!, HEX)) {
      return judged(text, start, end, groups);
    } else {
      at = end + 1;
    }
  }
}

/** An address that ends with an IPv4 address, at its first digit (RFC 4291, 2.2). */
function embeddedQuad(text: Uint8Array, at: number, { count, compressed }: Groups): Address | undefined {
  const quad = endOfQuad(text, at);
  return quad > 0 && (compressed ? count <= 5 : count === 6) ? { bodyEnd: quad, end: quad, certain: true } : undefined;
}

/** Returns the address from `start` to `at` if the groups that were read make one. */
function judged(text: Uint8Array, start: number, at: number, groups: Groups): Address | undefined {
  const { count, compressed, digits, port } = groups;
  const continues = text[at] === COLON && (text[at + 1] === COLON || (count > 8 && !is(text[at + 1]!, SPACE)));
  if (continues || isDotDigit(text, at)) {
    return undefined;
  }
  const lastColon = skipBack(text, at, HEX, 6) - 1;
  const withPort = port || (!compressed && count === 9 && skip(text, lastColon + 1, DIGIT) === at);
  const ownGroups = withPort ? count - 1 : count;
  if (count === 9 && areOctets(text, start, at)) {
    return undefined; // a certificate's serial number
  }
  const whole = compressed ? ownGroups <= 7 && (digits || count >= 4 || count === 0) : ownGroups === 8;
  const certain = digits && ownGroups >= 3;
  return whole && (certain || !is(text[at]!, IDENTIFIER))
    ? { bodyEnd: withPort ? lastColon : at, end: at, certain }
    : undefined;
}

/** Returns whether all groups have two digits. */
function areOctets(text: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 3) {
    if (skip(text, at, HEX, 3) !== at + 2) {
      return false;
    }
  }
  return true;
}

/** True for `Foo::bar`, `v1.2::3` and the second colon of an address that was looked at before. */
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

/** Returns whether the text before the colon is a label rather than a part of the address: `addr:2001:db8::1`. */
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
