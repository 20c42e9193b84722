import type { AttributeChange } from '../../../shared/contract/file-handles.ts';
import { STATUS } from '../protocol/constants.ts';
import { statusReply } from '../protocol/replies.ts';
import { permissionDenied } from './failure.ts';
import { type FilesCalls, UNTIMED } from './files-calls.ts';
import { type Handler, recorded, type SessionParts } from './handler.ts';
import type { ServerPlace } from './servers.ts';

/** Changes mode, times and length by path. */
export function setAttributesRequest({ servers, open, files, changed }: SessionParts): Handler {
  return async (id, fields) => {
    const place = servers.toChange(fields.path());
    const { owner, ...change } = fields.attributes();
    if (owner) throw permissionDenied('The owner cannot be changed');
    await recorded(changed, { what: 'attributes', place }, async () => {
      const writable = open.writableAt(place);
      if (writable) await open.setAttributes(writable, change);
      else await setAt(files, place, change);
    });
    return statusReply(id, STATUS.ok, 'Changed');
  };
}

async function setAt(files: FilesCalls, place: ServerPlace, { sizeBytes, ...rest }: AttributeChange): Promise<void> {
  if (sizeBytes !== undefined) await resize(files, place, sizeBytes);
  if (rest.mode !== undefined || rest.times) await files.setAttributes({ ...place, change: rest });
}

async function resize(files: FilesCalls, place: ServerPlace, sizeBytes: number): Promise<void> {
  const how = { read: false, write: true, create: false, exclusive: false, truncate: false, isMasked: false };
  const { handle } = await files.openHandle({ ...place, ...how });
  let isWhole = false;
  try {
    await files.setHandleAttributes({ handle, change: { sizeBytes } }, UNTIMED);
    isWhole = true;
  } finally {
    await files.closeHandle({ handle, isWhole }, UNTIMED);
  }
}
