/** The NBT tags that the demo world uses (minecraft.wiki, "NBT format"). */
export type Tag =
  | { readonly type: 'int'; readonly value: number }
  | { readonly type: 'long'; readonly value: bigint }
  | { readonly type: 'bytes'; readonly value: Buffer }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'compound'; readonly value: Compound };
export type Compound = Readonly<Record<string, Tag>>;

export const int = (value: number): Tag => ({ type: 'int', value });
export const long = (value: bigint): Tag => ({ type: 'long', value });
export const bytes = (value: Buffer): Tag => ({ type: 'bytes', value });
export const string = (value: string): Tag => ({ type: 'string', value });
export const compound = (value: Compound): Tag => ({ type: 'compound', value });

/** Encodes a root compound without a name. */
export function encodeNbt(root: Compound): Buffer {
  return Buffer.concat([header(compound({}), ''), encodePayload(compound(root))]);
}

/** Returns the root compound of `data`. Throws RangeError if the data is cut short, nests too deep or contains another tag. */
export function decodeNbt(data: Buffer): Compound {
  const reader = { data, at: 0 };
  if (readUInt8(reader) !== IDS.compound) throw new RangeError('NBT does not begin with a compound');
  readText(reader);
  return readCompound(reader, 0);
}

const IDS = { int: 3, long: 4, bytes: 7, string: 8, compound: 10 } as const;
const END = 0;
/** Vanilla's own limit. */
const DEEPEST = 512;

function header(tag: Tag, name: string): Buffer {
  return Buffer.concat([Buffer.from([IDS[tag.type]]), encodeText(name)]);
}

/** Java's "modified UTF-8" differs only for NUL and above U+FFFF, which do not occur here. */
function encodeText(text: string): Buffer {
  const encoded = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(encoded.length);
  return Buffer.concat([length, encoded]);
}

function encodePayload(tag: Tag): Buffer {
  switch (tag.type) {
    case 'int': {
      const buffer = Buffer.alloc(4);
      buffer.writeInt32BE(tag.value);
      return buffer;
    }
    case 'long': {
      const buffer = Buffer.alloc(8);
      buffer.writeBigInt64BE(tag.value);
      return buffer;
    }
    case 'bytes': {
      const length = Buffer.alloc(4);
      length.writeInt32BE(tag.value.length);
      return Buffer.concat([length, tag.value]);
    }
    case 'string':
      return encodeText(tag.value);
    case 'compound': {
      const entries = Object.entries(tag.value).flatMap(([name, value]) => [header(value, name), encodePayload(value)]);
      return Buffer.concat([...entries, Buffer.from([END])]);
    }
  }
}

interface Reader {
  readonly data: Buffer;
  at: number;
}

function take(reader: Reader, length: number): Buffer {
  if (length < 0 || reader.at + length > reader.data.length) throw new RangeError('NBT is cut short');
  const part = reader.data.subarray(reader.at, reader.at + length);
  reader.at += length;
  return part;
}

const readUInt8 = (reader: Reader): number => take(reader, 1).readUInt8();
const readText = (reader: Reader): string => take(reader, take(reader, 2).readUInt16BE()).toString('utf8');

function readCompound(reader: Reader, depth: number): Compound {
  if (depth > DEEPEST) throw new RangeError('NBT nests too deep');
  const entries: Record<string, Tag> = {};
  for (let id = readUInt8(reader); id !== END; id = readUInt8(reader)) {
    const name = readText(reader);
    entries[name] = readPayload(reader, id, depth);
  }
  return entries;
}

function readPayload(reader: Reader, id: number, depth: number): Tag {
  switch (id) {
    case IDS.int:
      return int(take(reader, 4).readInt32BE());
    case IDS.long:
      return long(take(reader, 8).readBigInt64BE());
    case IDS.bytes:
      return bytes(take(reader, take(reader, 4).readInt32BE()));
    case IDS.string:
      return string(readText(reader));
    case IDS.compound:
      return compound(readCompound(reader, depth + 1));
    default:
      throw new RangeError(`NBT tag ${id} is not one the demo world writes`);
  }
}
