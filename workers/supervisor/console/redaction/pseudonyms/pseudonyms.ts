import { hash } from 'node:crypto';
import { KIND, type Kind, LABELS, PSEUDONYM_DIGITS, RECOGNISABLE } from '../kinds.ts';
import { latin1 } from '../scan/byte-classes.ts';
import { canonicalAddress } from './canonical-address.ts';

const DOT = 0x2e;
const COLON = 0x3a;

/** A busy day's addresses; when there are more, the cache starts over (the names come out the same). */
const CACHED = 2048;

/** The same person in different spellings gets one name: these say what the spellings have in common. */
const CANONICAL: Readonly<Partial<Record<Kind, (text: string) => string>>> = {
  [KIND.email]: (text) => text.toLowerCase(),
  [KIND.uuid]: (text) => text.toLowerCase().replaceAll('-', ''),
  [KIND.mac]: (text) => text.toLowerCase().replaceAll(/[^0-9a-f]/g, ''),
  [KIND.ip]: canonicalAddress,
};

/**
 * Names for what was taken out: `[ip-3fa2c1]` for an address, the same for the same address within an instance, and
 * `[secret]` for what nobody needs to recognise again. A keyed hash: without the instance's key an address cannot be
 * guessed from its name by trying all of them. (SHA-256 over key and text: what HMAC guards against beyond that needs
 * more than 24 bits of the digest to be known, and costs ten times as much in a flood of new addresses.)
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

  /** What stands in the log instead of the plain text from `start` to `end`. */
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

/** What URLs and JSON escape of an address: `%40`, `%3A`, `\\u0040`. */
function unescaped(text: string): string {
  return text.replaceAll(/(?:%|\\u00)(2[bde]|3a|40|5[bdf])/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Without the port of an IPv4 address, which is another one each time. */
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
