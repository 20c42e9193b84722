import type { Owner } from '../../../shared/node/files/owner.ts';

/** The extra field "Info-ZIP New Unix" (APPNOTE.TXT 4.6.1, proginfo/extrafld.txt of Info-ZIP): owner and group as numbers. */
const ID = 0x7875;
const VERSION = 1;
const NUMBER_BYTES = 4;
/** version | size of uid | uid | size of gid | gid */
const DATA_BYTES = 3 + 2 * NUMBER_BYTES;

export function ownerField({ uid, gid }: Owner): Buffer {
  const field = Buffer.alloc(4 + DATA_BYTES);
  field.writeUInt16LE(ID, 0);
  field.writeUInt16LE(DATA_BYTES, 2);
  field.writeUInt8(VERSION, 4);
  field.writeUInt8(NUMBER_BYTES, 5);
  field.writeUInt32LE(uid, 6);
  field.writeUInt8(NUMBER_BYTES, 10);
  field.writeUInt32LE(gid, 11);
  return field;
}

/** Returns `undefined` if there is no such field, or one that other programs wrote in another way. */
export function ownerIn(fields: readonly { id: number; data: Buffer }[]): Owner | undefined {
  const data = fields.find(({ id }) => id === ID)?.data;
  const isOurs = data?.length === DATA_BYTES && data[0] === VERSION && data[1] === NUMBER_BYTES;
  if (!isOurs || data[6] !== NUMBER_BYTES) return undefined;
  return { uid: data.readUInt32LE(2), gid: data.readUInt32LE(7) };
}
