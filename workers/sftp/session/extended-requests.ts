import type { DiskSpace } from '../../../shared/contract/file-handles.ts';
import { STATUS } from '../protocol/constants.ts';
import { limitsReply, spaceReply, statusReply } from '../protocol/replies.ts';
import { SftpFailure } from './failure.ts';
import { type Handler, recorded, type SessionParts } from './handler.ts';
import { MOST_HANDLES } from './open-files.ts';
import { requestedRename } from './requested-rename.ts';
import { setAttributesRequest } from './set-attributes.ts';

/** Of the list of servers, which is on no disk. */
const NO_SPACE: DiskSpace = { blockBytes: 4_096, blocks: 0, freeBlocks: 0, availableBlocks: 0, files: 0, freeFiles: 0 };

/** Answers the extensions of OpenSSH, which have names instead of numbers (its PROTOCOL, section 4). */
export function extendedRequest(parts: SessionParts): Handler {
  const { servers, open, files, changed } = parts;
  const spaceOf = (instanceId: string | undefined) =>
    instanceId === undefined ? NO_SPACE : files.diskSpace(instanceId);
  const setAttributes = setAttributesRequest(parts);
  const handlers: Record<string, Handler> = {
    async 'posix-rename@openssh.com'(id, fields) {
      const { place, ...way } = requestedRename(servers, fields);
      await recorded(changed, { what: `rename to /${way.to}:`, place }, () => files.replace(way));
      return statusReply(id, STATUS.ok, 'Done');
    },
    'statvfs@openssh.com': async (id, fields) => spaceReply(id, await spaceOf(servers.find(fields.path())?.instanceId)),
    'fstatvfs@openssh.com': async (id, fields) =>
      spaceReply(id, await spaceOf(open.placeOf(fields.bytes()).instanceId)),
    async 'fsync@openssh.com'(id, fields) {
      await open.sync(fields.bytes());
      return statusReply(id, STATUS.ok, 'Done');
    },
    'lsetstat@openssh.com': setAttributes,
    'limits@openssh.com': (id) => limitsReply(id, MOST_HANDLES),
  };
  const byName = new Map(Object.entries(handlers));
  return (id, fields) => {
    const handler = byName.get(fields.bytes().toString('latin1'));
    if (!handler) throw new SftpFailure(STATUS.unsupported, 'Operation unsupported');
    return handler(id, fields);
  };
}
