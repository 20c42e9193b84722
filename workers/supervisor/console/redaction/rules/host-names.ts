import { endOfQuad, shapeOf, startOfQuad } from '../clues/quads.ts';
import { ADDRESS_WORDS } from '../clues/version-words.ts';
import { KIND } from '../kinds.ts';
import {
  ALNUM,
  bytesOf,
  DIGIT,
  HEX,
  HOST,
  is,
  LETTER,
  latin1,
  skip,
  skipBack,
  startsWith,
} from '../scan/byte-classes.ts';
import type { Hits } from '../scan/hits.ts';

const DASH = 0x2d;
const DOT = 0x2e;

const LONGEST_HOST = 128;
const LONGEST_LABEL = 63;
/** Words of cloud providers and resolvers before such an address. */
const HOST_WORDS = new Set(['ec2', 'compute', 'vps', 'c', 'h', 'p', 'x']);

/**
 * An IPv4 address in a host name, at its first dash: `203-0-113-7.dyn.example.net`, `ip-203-0-113-7`. Other numbers with dashes (dates, codes,
 * file names) have neither such a word before them nor a domain behind them.
 */
export function dashedAddress(text: Buffer, dash: number, hits: Hits): number {
  if (!is(text[dash - 1]!, DIGIT) || !is(text[dash + 1]!, DIGIT)) {
    return 0;
  }
  const start = startOfQuad(text, dash);
  const end = endOfQuad(text, start, DASH);
  if (end < 0 || isContinuation(text, start) || is(text[end]!, ALNUM)) {
    return 0;
  }
  if (!shapeOf(text, start, end).hundreds && !isBehindHostWord(text, start) && !isBeforeDomain(text, end)) {
    return 0;
  }
  hits.add(start, end, KIND.ip);
  return end;
}

/** `2024-10-29-17-00-48`: the four numbers are the end of more. */
function isContinuation(text: Uint8Array, start: number): boolean {
  const end = text[start - 1] === DASH ? start - 1 : start;
  const word = skipBack(text, end, ALNUM, 16);
  return word < end && skip(text, word, DIGIT) >= end;
}

function isBehindHostWord(text: Buffer, start: number): boolean {
  const end = text[start - 1] === DASH ? start - 1 : start;
  const word = latin1(text, skipBack(text, end, ALNUM, 16), end).toLowerCase();
  return word !== '' && (HOST_WORDS.has(word) || ADDRESS_WORDS.has(word));
}

/** A domain has at least two labels, and the last has letters only. A file has one extension, or `.log.gz`. */
function isBeforeDomain(text: Buffer, end: number): boolean {
  if (text[end] !== DOT || !is(text[end + 1]!, ALNUM)) {
    return false;
  }
  let last = skip(text, end, HOST, LONGEST_HOST);
  last -= text[last - 1] === DOT ? 1 : 0; // the end of a sentence
  const top = skipBack(text, last, LETTER, LONGEST_LABEL);
  return text[top - 1] === DOT && top - 1 > end && last - top >= 2 && !ARCHIVES.has(latin1(text, top, last));
}

const ARCHIVES = new Set(['gz', 'zip', 'bz', 'xz', 'zst', 'jar', 'log', 'txt']);

const ARPA = bytesOf('ip6.arpa');
/** In bytes: 32 digits with their dots. */
const LONGEST_REVERSED = 64;

/** An IPv6 address in a reverse DNS lookup (RFC 3596, 2.5), at the dot before `arpa`: `1.0.0.2.ip6.arpa`. */
export function reversedAddress(text: Uint8Array, dot: number, hits: Hits): number {
  const name = dot - 'ip6'.length;
  if (!startsWith(text, name, ARPA) || text[name - 1] !== DOT || !is(text[name - 2]!, HEX)) {
    return 0;
  }
  let start = name - 2;
  while (text[start - 1] === DOT && is(text[start - 2]!, HEX) && start > name - LONGEST_REVERSED) {
    start -= 2;
  }
  hits.add(start, name - 1, KIND.ip);
  return dot;
}
