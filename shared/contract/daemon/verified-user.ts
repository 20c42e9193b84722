import * as z from 'zod';

/**
 * A user as the gateway verified it. Time passes between the check and the change that it allows: hashing a password takes 100 ms and more.
 * The daemon therefore compares this with the user and the session as they are when it makes the change.
 */
export interface VerifiedUser {
  username: string;
  /** `UserRecord.version`. */
  version: string;
  /** The session that the request came with. Absent: the user is signing in. */
  tokenHash?: string | undefined;
}

const id = z.string().min(1).max(256);

export const verifiedUser = z.object({ username: id, version: id, tokenHash: id.optional() });
