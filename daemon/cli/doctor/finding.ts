import type { Home } from '../../../shared/node/files/home.ts';
import type { ProcessIdentity } from '../../../shared/node/processes/process-identity.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import type { StoredData } from './stored-data.ts';

/** The result of a check. */
export interface Finding {
  /** Such as "Disk space". */
  check: string;
  /** `problem`: something does not work; `warning`: it may stop working. */
  result: 'ok' | 'warning' | 'problem';
  says: string;
  /** What to do about it, if anything. */
  fix?: string;
}

/** The input of the checks. */
export interface Subject {
  home: Home;
  /** False before the first start. */
  exists: boolean;
  /** The settings that the next start would use; `undefined` if they are invalid. */
  settings: Settings | undefined;
  /** The content of the database; `undefined` if there is none or it cannot be read. */
  stored: StoredData | undefined;
  /** The running daemon, even if it hangs. */
  daemon: ProcessIdentity | undefined;
  env: NodeJS.ProcessEnv;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Throws if the check cannot be completed. */
export type Check = (subject: Subject) => Finding[] | Promise<Finding[]>;

export const ok = (check: string, says: string): Finding => ({ check, result: 'ok', says });
export const warning = (check: string, says: string, fix: string): Finding => ({ check, result: 'warning', says, fix });
export const problem = (check: string, says: string, fix: string): Finding => ({ check, result: 'problem', says, fix });
