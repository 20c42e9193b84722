import type { Omission } from '../../../shared/domain/backups/omissions.ts';
import { shownName } from '../../../shared/node/files/file-name.ts';

/** More are only counted: a program may create a million of them. */
const MOST_LISTED = 100;
/** Characters of a path; a longer one is cut off. */
const LONGEST_SHOWN = 300;

/** Collects the files and folders that nobody excluded and that an archive or copy does not contain. */
export interface Omissions {
  readonly listed: Omission[];
  readonly count: number;
  /** `name` is encoded as in shared/node/files/file-name.ts. */
  add(name: string, reason: Omission['reason']): void;
}

export function createOmissions(): Omissions {
  const listed: Omission[] = [];
  let count = 0;
  return {
    listed,
    get count() {
      return count;
    },
    add(name, reason) {
      count++;
      if (listed.length < MOST_LISTED) listed.push({ path: shortened(shownName(name)), reason });
    },
  };
}

function shortened(name: string): string {
  return name.length <= LONGEST_SHOWN ? name : `${name.slice(0, LONGEST_SHOWN - 1)}…`;
}
