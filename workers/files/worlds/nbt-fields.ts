/** A value of an NBT file that is a number or a text, or a list of whole numbers. */
export type NbtValue = number | bigint | string | number[];

const TAG = { end: 0, int: 3, long: 4, string: 8, list: 9, compound: 10 } as const;
/** Bytes of each value, by tag: byte, short, int, long, float, double. */
const SIZES: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 4, 4: 8, 5: 4, 6: 8 };
/** Bytes of each element, by tag: arrays of bytes, ints and longs. */
const ARRAYS: Readonly<Record<number, number>> = { 7: 1, 11: 4, 12: 8 };
/** Of a list that is returned. */
const MOST_NUMBERS = 16;

/** Something that is being read: a compound, or what is left of a list. */
interface Open {
  /** Path of the compound, ending in a dot; absent if nothing in it can be asked for. */
  path?: string | undefined;
  list?: { tag: number; left: number };
}

/**
 * Returns the fields with these paths (`Data.Version.Name`) of an NBT file (https://minecraft.wiki/w/NBT_format). Everything else is passed over,
 * not built: a megabyte can have a million empty compounds, for which a parser of whole files takes a second or more. Throws RangeError if it is none.
 */
export function nbtFields(bytes: Buffer, wanted: ReadonlySet<string>, isLittleEndian: boolean): Map<string, NbtValue> {
  const reader = new NbtReader(bytes, isLittleEndian);
  const found = new Map<string, NbtValue>();
  const above = new Set([...wanted].flatMap(compoundsAbove));
  if (reader.byte() !== TAG.compound) throw new RangeError('it does not begin with a compound');
  reader.skip(reader.textLength()); // the name of the whole
  const open: Open[] = [{ path: '' }];

  function enter(tag: number, path: string | undefined): void {
    const isWanted = path !== undefined && wanted.has(path);
    if (tag === TAG.compound) open.push({ path: path !== undefined && above.has(path) ? `${path}.` : undefined });
    else if (tag === TAG.list) {
      const list = { tag: reader.byte(), left: reader.length() };
      const size = SIZES[list.tag];
      if (isWanted && list.tag === TAG.int && list.left <= MOST_NUMBERS)
        found.set(
          path,
          Array.from({ length: list.left }, () => reader.int()),
        );
      // All of one size: nothing in it can be wanted.
      else if (size !== undefined) reader.skip(size * list.left);
      else if (list.left > 0) open.push({ list });
    } else if (isWanted && (tag === TAG.int || tag === TAG.long || tag === TAG.string))
      found.set(path, reader.value(tag));
    else reader.pass(tag);
  }

  for (let last = open.at(-1); last; last = open.at(-1)) {
    if (last.list) {
      if (last.list.left-- === 0) open.pop();
      else enter(last.list.tag, undefined);
      continue;
    }
    const tag = reader.byte();
    if (tag === TAG.end) open.pop();
    else {
      const name = reader.text();
      enter(tag, last.path === undefined ? undefined : last.path + name);
    }
  }
  return found;
}

/** Returns the paths of the compounds that a field is in. */
function compoundsAbove(path: string): string[] {
  const names = path.split('.');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('.'));
}

/** Reads what follows each other. Each method throws RangeError if the file ends before. */
class NbtReader {
  readonly #bytes: Buffer;
  readonly #isLittleEndian: boolean;
  #at = 0;

  constructor(bytes: Buffer, isLittleEndian: boolean) {
    this.#bytes = bytes;
    this.#isLittleEndian = isLittleEndian;
  }

  byte(): number {
    return this.#bytes.readUInt8(this.skip(1));
  }

  int(): number {
    const at = this.skip(4);
    return this.#isLittleEndian ? this.#bytes.readInt32LE(at) : this.#bytes.readInt32BE(at);
  }

  /** Of a list or an array. A negative one is none. */
  length(): number {
    return Math.max(0, this.int());
  }

  textLength(): number {
    const at = this.skip(2);
    return this.#isLittleEndian ? this.#bytes.readUInt16LE(at) : this.#bytes.readUInt16BE(at);
  }

  text(): string {
    const length = this.textLength();
    const at = this.skip(length);
    return decodeText(this.#bytes.subarray(at, at + length));
  }

  value(tag: number): number | bigint | string {
    if (tag === TAG.int) return this.int();
    if (tag === TAG.string) return this.text();
    const at = this.skip(8);
    return this.#isLittleEndian ? this.#bytes.readBigInt64LE(at) : this.#bytes.readBigInt64BE(at);
  }

  /** Passes over a value that is neither a compound nor a list. */
  pass(tag: number): void {
    const size = SIZES[tag];
    const ofElement = ARRAYS[tag];
    if (size !== undefined) this.skip(size);
    else if (ofElement !== undefined) this.skip(ofElement * this.length());
    else if (tag === TAG.string) this.skip(this.textLength());
    else throw new RangeError(`there is no tag ${tag}`);
  }

  /** Returns where the bytes begin. */
  skip(length: number): number {
    const start = this.#at;
    if (this.#bytes.length - start < length) throw new RangeError('the file ends too soon');
    this.#at = start + length;
    return start;
  }
}

/** Java writes characters beyond the Basic Multilingual Plane as two surrogates of three bytes each ("modified UTF-8"). */
const SURROGATES = /\xed([\xa0-\xaf])([\x80-\xbf])\xed([\xb0-\xbf])([\x80-\xbf])/g;

function decodeText(bytes: Buffer): string {
  const text = bytes.toString('latin1').replace(SURROGATES, (_all, ...units: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = units.slice(0, 4).map((unit) => unit.charCodeAt(0) & 0x3f);
    const high = 0xd000 + (a << 6) + b;
    const low = 0xd000 + (c << 6) + d;
    return Buffer.from(String.fromCharCode(high, low)).toString('latin1');
  });
  return Buffer.from(text, 'latin1').toString();
}
