import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';

/** Returns whether a write may only create something new: `If-None-Match: *` (RFC 9110, section 13.1.2). Throws `invalid_request` for tags. */
export function mustBeNew(header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  throw new GamekeeperError('invalid_request', 'If-None-Match: only "*" is possible here.');
}
