import type { DiskSpace, FileAttributes } from '../../../shared/contract/file-handles.ts';
import { bytesOf } from '../../../shared/node/files/file-name.ts';
import {
  ATTRIBUTE,
  MOST_PACKET_BYTES,
  MOST_READ_BYTES,
  MOST_WRITTEN_BYTES,
  type Status,
  TYPE,
  VERSION,
} from './constants.ts';
import { longName, typeBits } from './long-name.ts';

const SHOWN = ATTRIBUTE.size | ATTRIBUTE.owner | ATTRIBUTE.permissions | ATTRIBUTE.times;
const MOST_SECONDS = 0xffff_ffff;
const MOST_NAME_BYTES = 255;

/** What this server does beyond version 3. */
const EXTENSIONS = [
  ['posix-rename@openssh.com', '1'],
  ['statvfs@openssh.com', '2'],
  ['fstatvfs@openssh.com', '2'],
  ['fsync@openssh.com', '1'],
  ['lsetstat@openssh.com', '1'],
  ['limits@openssh.com', '1'],
] as const;

export interface Named {
  name: string;
  attributes: FileAttributes;
}

/** Answers the client's first packet. */
export function versionReply(): Buffer {
  return packet([byte(TYPE.version), number(VERSION), ...EXTENSIONS.flat().map(text)]);
}

export function statusReply(id: number, status: Status, message: string): Buffer {
  return packet([byte(TYPE.status), number(id), number(status), text(message), text('')]);
}

export function handleReply(id: number, handle: Buffer): Buffer {
  return packet([byte(TYPE.handle), number(id), string(handle)]);
}

export function dataReply(id: number, bytes: Uint8Array): Buffer {
  const reply = Buffer.allocUnsafe(13 + bytes.length);
  reply.writeUInt32BE(9 + bytes.length, 0);
  reply.writeUInt8(TYPE.data, 4);
  reply.writeUInt32BE(id, 5);
  reply.writeUInt32BE(bytes.length, 9);
  reply.set(bytes, 13);
  return reply;
}

export function attributesReply(id: number, attributes: FileAttributes): Buffer {
  return packet([byte(TYPE.attributes), number(id), ...attributeFields(attributes)]);
}

/** `now` in milliseconds since the epoch: long names show the year of old files, and the time of others. */
export function namesReply(id: number, names: readonly Named[], now: number): Buffer {
  const fields = names.flatMap(({ name, attributes }) => [
    string(Buffer.from(bytesOf(name))),
    string(longName(name, attributes, now)),
    ...attributeFields(attributes),
  ]);
  return packet([byte(TYPE.name), number(id), number(names.length), ...fields]);
}

/** The answer to questions for one path, which need no attributes. */
export function pathReply(id: number, path: string): Buffer {
  const bytes = string(Buffer.from(bytesOf(path)));
  return packet([byte(TYPE.name), number(id), number(1), bytes, bytes, number(0)]);
}

export function spaceReply(id: number, space: DiskSpace): Buffer {
  const { blockBytes, blocks, freeBlocks, availableBlocks, files, freeFiles } = space;
  const values = [blockBytes, blockBytes, blocks, freeBlocks, availableBlocks, files, freeFiles, freeFiles];
  // Then the id of the file system, flags, and the longest name.
  return packet([byte(TYPE.extendedReply), number(id), ...[...values, 0, 0, MOST_NAME_BYTES].map(long)]);
}

export function limitsReply(id: number, mostHandles: number): Buffer {
  const limits = [MOST_PACKET_BYTES, MOST_READ_BYTES, MOST_WRITTEN_BYTES, mostHandles];
  return packet([byte(TYPE.extendedReply), number(id), ...limits.map(long)]);
}

function attributeFields({ kind, sizeBytes, mode, uid, gid, accessedAt, modifiedAt }: FileAttributes): Buffer[] {
  return [
    number(SHOWN),
    long(sizeBytes),
    ...[uid, gid, typeBits(kind) | mode].map((value) => number(value)),
    ...[accessedAt, modifiedAt].map((time) => number(Math.min(Math.max(time, 0), MOST_SECONDS))),
  ];
}

function packet(fields: readonly Buffer[]): Buffer {
  const length = fields.reduce((sum, field) => sum + field.length, 0);
  return Buffer.concat([number(length), ...fields], length + 4);
}

function byte(value: number): Buffer {
  return Buffer.from([value]);
}

function number(value: number): Buffer {
  const field = Buffer.allocUnsafe(4);
  field.writeUInt32BE(value >>> 0);
  return field;
}

function long(value: number): Buffer {
  const field = Buffer.allocUnsafe(8);
  field.writeBigUInt64BE(BigInt(Math.trunc(value)));
  return field;
}

function string(bytes: Buffer): Buffer {
  return Buffer.concat([number(bytes.length), bytes]);
}

function text(value: string): Buffer {
  return string(Buffer.from(value));
}
