import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a handmade ZIP, with any false values (APPNOTE.TXT 4.3). */
export interface HandmadeEntry {
  name: string;
  content?: string | Buffer;
  /** File type and permissions; default an ordinary file, 0644. */
  mode?: number;
  method?: 'stored' | 'deflated';
  /** False values in the central directory. */
  claims?: { size?: number; compressedSize?: number; crc?: number; offset?: number };
  /** A different name in the local header. */
  localName?: string;
  encrypted?: boolean;
}

/** Returns the bytes of a ZIP with these entries. */
export function zipBytes(entries: readonly HandmadeEntry[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? '');
    const packed = entry.method === 'deflated' ? deflateRawSync(content) : content;
    const fields = {
      flags: 0x800 | (entry.encrypted ? 1 : 0),
      method: entry.method === 'deflated' ? 8 : 0,
      crc: entry.claims?.crc ?? crc32(content),
      compressedSize: entry.claims?.compressedSize ?? packed.length,
      size: entry.claims?.size ?? content.length,
    };
    const header = localHeader(entry.localName ?? entry.name, fields);
    central.push(centralHeader(entry, { ...fields, offset: entry.claims?.offset ?? offset }));
    local.push(header, packed);
    offset += header.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const place = { offset, bytes: directory.length };
  const many = entries.length > MOST_ENTRIES ? zip64End(entries.length, place) : Buffer.alloc(0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entries.length, MOST_ENTRIES), 8);
  end.writeUInt16LE(Math.min(entries.length, MOST_ENTRIES), 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, many, end]);
}

/** Without ZIP64. */
const MOST_ENTRIES = 0xffff;

/** The end of a directory with more entries, and its locator. */
function zip64End(entries: number, { offset, bytes }: { offset: number; bytes: number }): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeBigUInt64LE(BigInt(entries), 24);
  end.writeBigUInt64LE(BigInt(entries), 32);
  end.writeBigUInt64LE(BigInt(bytes), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(offset + bytes), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

interface Fields {
  flags: number;
  method: number;
  crc: number;
  compressedSize: number;
  size: number;
}

function localHeader(name: string, fields: Fields): Buffer {
  const bytes = Buffer.from(name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  common(header, 6, fields, bytes.length);
  return Buffer.concat([header, bytes]);
}

function centralHeader({ name, mode = 0o100644 }: HandmadeEntry, fields: Fields & { offset: number }): Buffer {
  const bytes = Buffer.from(name);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE((3 << 8) | 20, 4);
  header.writeUInt16LE(20, 6);
  common(header, 8, fields, bytes.length);
  header.writeUInt32LE((mode << 16) >>> 0, 38);
  header.writeUInt32LE(fields.offset, 42);
  return Buffer.concat([header, bytes]);
}

/** Writes flags, method, time, date, CRC, sizes and the name's length, which both headers have at different offsets. */
function common(header: Buffer, at: number, fields: Fields, nameLength: number): void {
  header.writeUInt16LE(fields.flags, at);
  header.writeUInt16LE(fields.method, at + 2);
  header.writeUInt16LE(0x5b74, at + 6);
  header.writeUInt32LE(fields.crc, at + 8);
  header.writeUInt32LE(fields.compressedSize, at + 12);
  header.writeUInt32LE(fields.size, at + 16);
  header.writeUInt16LE(nameLength, at + 20);
}
