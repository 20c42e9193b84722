import { hash } from 'node:crypto';
import { KIND, type Kind, LABELS, PSEUDONYM_DIGITS, RECOGNISABLE } from '../kinds.ts';
import { latin1 } from '../scan/byte-classes.ts';
import { canonicalAddress } from './canonical-address.ts';

const DOT = 0x2e;
const COLON = 0x3a;

/** More than a busy day's addresses. A full cache is emptied; the pseudonyms stay the same. */
const CACHED = 2048;

/** Different spellings of the same address get the same pseudonym. */
const CANONICAL: Readonly<Partial<Record<Kind, (text: string) => string>>> = {
  [KIND.email]: (text) => text.toLowerCase(),
  [KIND.uuid]: (text) => text.toLowerCase().replaceAll('-', ''),
  [KIND.mac]: (text) => text.toLowerCase().replaceAll(/[^0-9a-f]/g, ''),
  [KIND.ip]: canonicalAddress,
};

/**
 * The replacements for hits: `[secret]`, or `[ip-3fa2c1]` for an address, which is the same for the same address within an instance. A
 * keyed hash: without the instance's key, nobody can find an address by hashing all of them. (SHA-256 over key and text rather than HMAC:
 * length extension needs more than 24 bits of the digest, and HMAC costs ten times as much in a flood of new addresses.)
 */
export class Pseudonyms {
  readonly #key: Uint8Array;
  readonly #fixed = new Map<Kind, Buffer>();
  readonly #caches = new Map<Kind, Map<string, Buffer>>();

  constructor(key: Uint8Array) {
    this.#key = key;
    for (const kind of Object.values(KIND)) {
      if (RECOGNISABLE.includes(kind)) {
        this.#caches.set(kind, new Map());
      } else {
        this.#fixed.set(kind, Buffer.from(LABELS[kind] === '' ? '' : `[${LABELS[kind]}]`));
      }
    }
  }

  /** Returns the replacement for the plain text from `start` to `end`. */
  name(kind: Kind, text: Buffer, start: number, end: number): Buffer {
    const fixed = this.#fixed.get(kind);
    if (fixed !== undefined) {
      return fixed;
    }
    const cache = this.#caches.get(kind)!;
    const spelling = latin1(text, start, kind === KIND.ip ? endOfAddress(text, start, end) : end);
    const known = cache.get(spelling);
    if (known !== undefined) {
      return known;
    }
    if (cache.size >= CACHED) {
      cache.clear();
    }
    const name = this.#derive(LABELS[kind], CANONICAL[kind]!(unescaped(spelling)));
    cache.set(spelling, name);
    return name;
  }

  #derive(label: string, canonical: string): Buffer {
    const digest = hash('sha256', Buffer.concat([this.#key, Buffer.from(`${label} ${canonical}`)]), 'hex');
    return Buffer.from(`[${label}-${digest.slice(0, PSEUDONYM_DIGITS)}]`);
  }
}

/** Undoes the escapes of URLs and JSON in an address: `%40`, `%3A`, `\\u0040`. */
function unescaped(text: string): string {
  return text.replaceAll(/(?:%|\\u00)(2[bde]|3a|40|5[bdf])/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Leaves out the port of an IPv4 address, which differs with each connection. */
function endOfAddress(text: Buffer, start: number, end: number): number {
  let hasDot = false;
  for (let at = start; at < end; at++) {
    hasDot ||= text[at] === DOT;
    if (text[at] === COLON) {
      return hasDot ? at : end;
    }
  }
  return end;
}
