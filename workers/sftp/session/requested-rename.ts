import { STATUS } from '../protocol/constants.ts';
import type { FieldReader } from '../protocol/fields.ts';
import { SftpFailure } from './failure.ts';
import type { ServerPlace, Servers } from './servers.ts';

/** Reads the two paths of a rename, which must be on the same server. */
export function requestedRename(
  servers: Servers,
  fields: FieldReader,
): { place: ServerPlace; instanceId: string; from: string; to: string } {
  const place = servers.toChange(fields.path());
  const target = servers.toChange(fields.path());
  const { instanceId } = place;
  if (target.instanceId !== instanceId)
    throw new SftpFailure(STATUS.failure, 'This is another server: copy it instead');
  return { place, instanceId, from: place.path, to: target.path };
}
