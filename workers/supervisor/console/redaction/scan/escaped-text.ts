import { HEX, is, QUOTE, startsWith } from './byte-classes.ts';
import { GUARD } from './plain-text.ts';

const LF = 0x0a;
const TAB = 0x09;
const SPACE = 0x20;
const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const HASH = 0x23;

/**
 * A line with its escapes undone, and the way back to the original: `%40` in URLs (RFC 3986), `\/` and `\u0040` in JSON, `\:` in Java
 * properties, `&quot;` in HTML. The rules then need to know the plain spelling only.
 */
export class EscapedText {
  bytes = Buffer.alloc(2 * GUARD, LF);
  view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
  readonly start = GUARD;
  end = GUARD;
  /** For each byte and for the end, its index in the original. */
  #origins = new Int32Array(2 * GUARD);

  /** Loads the original text from `from` to `to`. */
  load(text: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from + 2 * GUARD);
    let into = GUARD;
    for (let at = from; at < to; ) {
      const { length, code } = escapeAt(text, at, to);
      this.#origins[into] = at;
      into += length === 0 ? this.#put(into, text[at]!) : this.#encode(into, code, at);
      at += Math.max(length, 1);
    }
    this.#origins[into] = to;
    this.end = into;
    this.bytes.fill(LF, into, into + GUARD);
  }

  /** Returns the index in the original of the byte at `position`, or of the end. */
  origin(position: number): number {
    return this.#origins[position]!;
  }

  #put(into: number, byte: number): 1 {
    this.bytes[into] = byte;
    return 1;
  }

  #encode(into: number, code: number, at: number): number {
    if (code < 0x80 || code > 0xffff) {
      return this.#put(into, code & 0xff);
    }
    const written = this.bytes.write(String.fromCharCode(code), into);
    this.#origins.fill(at, into, into + written);
    return written;
  }

  #reserve(length: number): void {
    if (length <= this.bytes.length) {
      return;
    }
    this.bytes = Buffer.alloc(length * 2, LF);
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
    this.#origins = new Int32Array(length * 2);
  }
}

/** `length` is 0 if there is no escape. A code above 0xffff is a raw byte. */
interface Escape {
  readonly length: number;
  readonly code: number;
}

const NONE: Escape = { length: 0, code: 0 };
/** Added to a byte that is part of a UTF-8 character rather than a code point. */
const BYTE = 0x10000;

function escapeAt(text: Uint8Array, at: number, to: number): Escape {
  switch (text[at]) {
    case PERCENT:
      return numeric(text, at, 1, 2, to);
    case BACKSLASH:
      return afterBackslash(text, at, to);
    case AMPERSAND:
      return entity(text, at, to);
    default:
      return NONE;
  }
}

const LETTERS: Readonly<Record<string, number>> = { n: LF, r: LF, t: TAB };
const ESCAPED = '"\'`\\/:=#! ';

function afterBackslash(text: Uint8Array, at: number, to: number): Escape {
  if (at + 1 >= to) {
    return NONE;
  }
  if (text[at + 1] === BACKSLASH && is(text[at + 2]!, QUOTE)) {
    // A backslash at the end of a string: undone, it would seem to escape the quote.
    return { length: 2, code: SPACE };
  }
  const letter = String.fromCharCode(text[at + 1]!);
  if (letter === 'u' || letter === 'x') {
    return numeric(text, at, 2, letter === 'u' ? 4 : 2, to);
  }
  const code = ESCAPED.includes(letter) ? text[at + 1]! : LETTERS[letter];
  return code === undefined ? NONE : { length: 2, code };
}

/** Reads `digits` hexadecimal digits after a prefix of that length. */
function numeric(text: Uint8Array, at: number, prefix: number, digits: number, to: number): Escape {
  const end = at + prefix + digits;
  let code = 0;
  for (let i = at + prefix; i < end; i++) {
    if (i >= to || !is(text[i]!, HEX)) {
      return NONE;
    }
    code = code * 16 + hexValue(text[i]!);
  }
  return code === 0 ? NONE : { length: end - at, code: digits === 2 && code >= 0x80 ? code + BYTE : code };
}

const ENTITIES = Object.entries({ quot: 0x22, apos: 0x27, amp: AMPERSAND, lt: 0x3c, gt: 0x3e }).map(([name, code]) => ({
  name: Buffer.from(`${name};`),
  code,
}));

function entity(text: Uint8Array, at: number, to: number): Escape {
  if (text[at + 1] === HASH) {
    return numberedEntity(text, at, to);
  }
  const found = ENTITIES.find(({ name }) => startsWith(text, at + 1, name));
  return found === undefined ? NONE : { length: found.name.length + 1, code: found.code };
}

/** `&#64;`, `&#x40;`. */
function numberedEntity(text: Uint8Array, at: number, to: number): Escape {
  const isHex = text[at + 2] === 0x78;
  let code = 0;
  for (let i = at + (isHex ? 3 : 2); i < Math.min(to, at + 8); i++) {
    if (text[i] === SEMICOLON && code > 0 && code < BYTE) {
      return { length: i + 1 - at, code };
    }
    if (!is(text[i]!, HEX) || (!isHex && text[i]! > 0x39)) {
      return NONE;
    }
    code = code * (isHex ? 16 : 10) + hexValue(text[i]!);
  }
  return NONE;
}

function hexValue(byte: number): number {
  return byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x57;
}
