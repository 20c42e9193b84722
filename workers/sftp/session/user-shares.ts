import { createMutex, type Mutex } from '../../../shared/node/primitives/mutex.ts';
import { STATUS } from '../protocol/constants.ts';
import { SftpFailure } from './failure.ts';

/** Of all sessions of one user. The files process allows four times as many to all users together. */
export const MOST_HANDLES_OF_USER = 1_024;

/** What all sessions of one user have together. */
export interface UserShare {
  /** Takes a place for an open file or folder. Throws SftpFailure if there is none. Returns how to give it back. */
  takeHandle(): () => void;
  /**
   * Reads of files whose secrets are masked run one at a time: each costs the files process as much as 128 KiB more, however little it asks for.
   */
  readonly masking: Mutex;
}

/** Returns what the sessions of a user share, by name. */
export type UserShares = (username: string) => UserShare;

export function createUserShares(): UserShares {
  const shares = new Map<string, UserShare>();
  return (username) => {
    const share = shares.get(username) ?? createShare();
    shares.set(username, share);
    return share;
  };
}

function createShare(): UserShare {
  let handles = 0;
  return {
    masking: createMutex(),
    takeHandle() {
      if (handles >= MOST_HANDLES_OF_USER)
        throw new SftpFailure(STATUS.failure, 'Too many files are open in your sessions');
      handles++;
      let isGivenBack = false;
      return () => {
        if (!isGivenBack) handles--;
        isGivenBack = true;
      };
    },
  };
}
