import { STATUS, TYPE } from '../protocol/constants.ts';
import type { FieldReader } from '../protocol/fields.ts';
import { attributesReply, handleReply, pathReply, statusReply } from '../protocol/replies.ts';
import { permissionDenied, SftpFailure } from './failure.ts';
import { UNTIMED } from './files-calls.ts';
import { type Handler, recorded, type SessionParts } from './handler.ts';
import { requestedRename } from './requested-rename.ts';
import type { ServerPlace } from './servers.ts';
import { setAttributesRequest } from './set-attributes.ts';
import { normalised } from './virtual-path.ts';

/** What clients do by path. */
export function pathRequests(parts: SessionParts): [number, Handler][] {
  const { servers, open, files, username, changed } = parts;

  /** A request that changes what is at a path. */
  const change = (what: string, work: (place: ServerPlace) => Promise<unknown>): Handler => {
    return async (id, fields) => {
      const place = servers.toChange(fields.path());
      await recorded(changed, { what, place }, () => work(place));
      return statusReply(id, STATUS.ok, 'Done');
    };
  };

  async function attributes(id: number, fields: FieldReader): Promise<Buffer> {
    const place = servers.find(fields.path());
    if (!place) return attributesReply(id, servers.attributes());
    const writable = open.writableAt(place);
    return attributesReply(id, await (writable ? open.attributes(writable) : files.attributes(place)));
  }

  async function rename(id: number, fields: FieldReader): Promise<Buffer> {
    const { place, ...way } = requestedRename(servers, fields);
    await recorded(changed, { what: `rename to /${way.to}:`, place }, () => files.move(way));
    return statusReply(id, STATUS.ok, 'Done');
  }

  return [
    [TYPE.lstat, attributes],
    // Links are never followed, so this is the same.
    [TYPE.stat, attributes],
    [TYPE.setstat, setAttributesRequest(parts)],
    [
      TYPE.opendir,
      async (id, fields) => {
        const place = servers.find(fields.path());
        return handleReply(id, await (place ? open.openFolder(place) : open.openTop(servers.list())));
      },
    ],
    [TYPE.remove, change('remove', (place) => files.removeFile({ ...place, by: username }, UNTIMED))],
    [TYPE.mkdir, change('mkdir', (place) => files.makeFolder(place))],
    [TYPE.rmdir, change('rmdir', (place) => files.removeFolder(place, UNTIMED))],
    [TYPE.rename, rename],
    [TYPE.realpath, (id, fields) => pathReply(id, normalised(fields.path()))],
    [
      TYPE.readlink,
      async (id, fields) => {
        const place = servers.find(fields.path());
        if (!place) throw new SftpFailure(STATUS.failure, 'This is a folder');
        return pathReply(id, await files.readLink(place));
      },
    ],
    [
      TYPE.symlink,
      () => {
        throw permissionDenied('Links cannot be created here');
      },
    ],
  ];
}
