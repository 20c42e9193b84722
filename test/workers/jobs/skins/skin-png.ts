import { crc32, deflateSync } from 'node:zlib';

export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

const NOTHING: Colour = [0, 0, 0, 0];

export interface SkinParts {
  width?: number;
  height?: number;
  face?: Colour;
  hat?: Colour;
}

/** Returns a skin whose face and hat have one colour each (PNG, "Datastream structure"; minecraft.wiki, "Skin"). */
export function skinPng({ width = 64, height = 64, face = NOTHING, hat = NOTHING }: SkinParts = {}): Buffer {
  const rows = Array.from({ length: height }, (_, y) => [
    0, // no filter
    ...Array.from({ length: width }, (_, x) => {
      if (y < 8 || y >= 16) return NOTHING;
      return x >= 8 && x < 16 ? face : x >= 40 && x < 48 ? hat : NOTHING;
    }).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8); // bits per channel, RGBA
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
