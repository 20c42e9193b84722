import { KIND } from '../kinds.ts';
import { BLANK, bytesOf, is, KEY, QUOTE, SPACE } from './byte-classes.ts';
import type { Hits } from './hits.ts';

/** Shorter secrets and common words are hidden only as a key's value: the password `minecraft` must not blank out the log. */
const SHORTEST_DISTINCT = 8;
/** Letters only, up to this length, count as a word. */
const LONGEST_WORD = 12;

const COMMON_WORDS = new Set(
  'administrator configuration minecraftserver multiplayer singleplayer information server-port whitelisted'.split(' '),
);

/** Characters from common to rare, counted in the test corpus and a busy server's day. All others are rarer. */
const BY_FREQUENCY = ' eraton:i.d0sc12lv[]mh348up/5fg7SNI-bO9F6kyxwA,jRMDE)P(LWT"_C>=<U?X\'GK!Bz~V\\q*J@YH#ZQ%;}{$|+&`';

/** What may stand before a value. */
const BEFORE_VALUE = bytesOf('=: \t"\'`\\');

const SPACE_BYTE = 0x20;

interface Literal {
  readonly bytes: Uint8Array;
  /** Offset of the byte at which the scan stops, because of it and the one before. */
  readonly anchor: number;
  readonly onlyAsValue: boolean;
}

/**
 * Finds the secrets that Gamekeeper knows exactly: the RCON password, the management secret, tokens. Escaped spellings need no care here,
 * because escapes are undone first (escaped-text.ts).
 */
export class KnownLiterals {
  readonly #byPair = new Map<number, Literal[]>();

  constructor(secrets: readonly string[]) {
    for (const line of new Set(secrets.flatMap(linesOf))) {
      const onlyAsValue = isCommon(line, Buffer.byteLength(line));
      for (const bytes of piecesOf(Buffer.from(line))) {
        this.#add({ bytes, anchor: onlyAsValue ? 0 : rarestPair(bytes), onlyAsValue });
      }
    }
  }

  #add(literal: Literal): void {
    for (const pair of pairsOf(literal)) {
      this.#byPair.set(pair, [...(this.#byPair.get(pair) ?? []), literal]);
    }
  }

  /** The pairs of bytes, `byte << 8 | before`, at whose second byte `find` must be called. */
  get pairs(): readonly number[] {
    return [...this.#byPair.keys()];
  }

  /** Returns how many bytes at the end of the text may be the beginning of a secret that contains a space. */
  begunAtEnd(text: Uint8Array, start: number, end: number): number {
    let longest = 0;
    for (const { bytes } of [...this.#byPair.values()].flat()) {
      const most = bytes.includes(SPACE_BYTE) ? Math.min(bytes.length - 1, end - start) : 0;
      for (let length = most; length > longest; length--) {
        if (isAt(text, end - length, bytes.subarray(0, length))) {
          longest = length;
        }
      }
    }
    return longest;
  }

  /** Adds all secrets whose anchor is at `at`. */
  find(text: Uint8Array, at: number, hits: Hits): void {
    for (const { bytes, anchor, onlyAsValue } of this.#byPair.get((text[at]! << 8) | text[at - 1]!) ?? []) {
      const start = at - anchor;
      if (isAt(text, start, bytes) && (!onlyAsValue || isValue(text, start, start + bytes.length))) {
        hits.add(start, start + bytes.length, KIND.secret);
      }
    }
  }
}

/** A secret of several lines, such as a PEM key, is printed line by line. Its first and last line are not secret. */
function linesOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
  const isSecret = (line: string) => line.length >= SHORTEST_DISTINCT && !line.startsWith('-----');
  return lines.length > 1 ? lines.filter(isSecret) : lines.filter((line) => line !== '');
}

/** Cuts a long secret into overlapping pieces, so that one piece is whole before the place where a line was cut. */
function piecesOf(bytes: Buffer): Buffer[] {
  const count = Math.max(1, Math.ceil((bytes.length - 1) / (LONGEST_PIECE - 1)));
  return Array.from({ length: count }, (_, i) => {
    const start = Math.min(i * (LONGEST_PIECE - 1), Math.max(0, bytes.length - LONGEST_PIECE));
    return bytes.subarray(start, start + LONGEST_PIECE);
  });
}

/** In bytes. Less than `HELD_BACK` in rules/cut-lines.ts. */
const LONGEST_PIECE = 512;

function isCommon(secret: string, length: number): boolean {
  return (
    length < SHORTEST_DISTINCT ||
    (length <= LONGEST_WORD && /^[A-Za-z]?[a-z]+$|^[A-Z]+$/.test(secret)) ||
    COMMON_WORDS.has(secret.toLowerCase())
  );
}

function rarestPair(bytes: Uint8Array): number {
  let best = 0;
  let rarest = -1;
  for (let i = 1; i < bytes.length; i++) {
    const rarity = rarityOf(bytes[i - 1]!) + rarityOf(bytes[i]!);
    if (rarity > rarest) {
      best = i;
      rarest = rarity;
    }
  }
  return best;
}

function rarityOf(byte: number): number {
  const place = BY_FREQUENCY.indexOf(String.fromCharCode(byte));
  return place < 0 ? BY_FREQUENCY.length : place;
}

/** The pairs of a common word are common too: it is anchored at its first byte, behind the characters before a value. */
function pairsOf({ bytes, anchor, onlyAsValue }: Literal): number[] {
  return onlyAsValue
    ? Array.from(BEFORE_VALUE, (before) => (bytes[0]! << 8) | before)
    : [(bytes[anchor]! << 8) | bytes[anchor - 1]!];
}

function isAt(text: Uint8Array, start: number, bytes: Uint8Array): boolean {
  if (start < 0) {
    return false;
  }
  for (let i = 0; i < bytes.length; i++) {
    if (text[start + i] !== bytes[i]) {
      return false;
    }
  }
  return true;
}

const ENDS_VALUE = new Set(bytesOf(',;&)]}<'));

/** `key=secret`, `"key": "secret"`, and nothing else in the value. */
function isValue(text: Uint8Array, start: number, end: number): boolean {
  const after = text[end]!;
  const isEscapedQuote = after === 0x5c && is(text[end + 1]!, QUOTE);
  if (!is(after, SPACE | QUOTE) && !ENDS_VALUE.has(after) && !isEscapedQuote) {
    return false;
  }
  let at = start - 1;
  while (is(text[at]!, QUOTE) || text[at] === 0x5c) {
    at--;
  }
  while (is(text[at]!, BLANK)) {
    at--;
  }
  if (text[at] !== 0x3d && text[at] !== 0x3a) {
    return false;
  }
  at--;
  while (is(text[at]!, BLANK | QUOTE) || text[at] === 0x5c) {
    at--;
  }
  return is(text[at]!, KEY);
}
