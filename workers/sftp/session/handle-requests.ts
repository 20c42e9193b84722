import { MOST_READ_BYTES, STATUS, TYPE } from '../protocol/constants.ts';
import { MalformedPacket } from '../protocol/fields.ts';
import { attributesReply, dataReply, handleReply, namesReply, statusReply } from '../protocol/replies.ts';
import { permissionDenied, SftpFailure } from './failure.ts';
import { type Handler, recorded, type SessionParts } from './handler.ts';

/** What clients do with open files and folders. */
export function handleRequests({ servers, open, changed, now }: SessionParts): [number, Handler][] {
  return [
    [
      TYPE.open,
      async (id, fields) => {
        const place = servers.find(fields.path());
        const flags = fields.number();
        const { mode } = fields.attributes();
        if (!place) throw new SftpFailure(STATUS.failure, 'This is a folder');
        return handleReply(id, await open.openFile(place, flags, mode));
      },
    ],
    [
      TYPE.close,
      async (id, fields) => {
        const key = fields.bytes();
        const place = open.placeToPublish(key);
        if (place) await recorded(changed, { what: 'write', place }, () => open.close(key));
        else await open.close(key);
        return statusReply(id, STATUS.ok, 'Closed');
      },
    ],
    [
      TYPE.read,
      async (id, fields) => {
        const key = fields.bytes();
        const offset = fields.long();
        const length = Math.min(fields.number(), MOST_READ_BYTES);
        if (length === 0) throw new MalformedPacket('nothing is asked for');
        const bytes = await open.read(key, offset, length);
        return bytes.length > 0 ? dataReply(id, bytes) : statusReply(id, STATUS.endOfFile, 'End of file');
      },
    ],
    [
      TYPE.write,
      async (id, fields) => {
        const key = fields.bytes();
        const offset = fields.long();
        await open.write(key, offset, fields.bytes());
        return statusReply(id, STATUS.ok, 'Written');
      },
    ],
    [TYPE.fstat, async (id, fields) => attributesReply(id, await open.attributes(fields.bytes()))],
    [
      TYPE.fsetstat,
      async (id, fields) => {
        const key = fields.bytes();
        const { owner, ...change } = fields.attributes();
        if (owner) throw permissionDenied('The owner cannot be changed');
        await open.setAttributes(key, change);
        return statusReply(id, STATUS.ok, 'Changed');
      },
    ],
    [
      TYPE.readdir,
      async (id, fields) => {
        const entries = await open.entries(fields.bytes());
        return entries.length > 0 ? namesReply(id, entries, now()) : statusReply(id, STATUS.endOfFile, 'End of folder');
      },
    ],
  ];
}
