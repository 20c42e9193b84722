import type { Home } from '../../../shared/node/files/home.ts';
import type { ProcessIdentity } from '../../../shared/node/processes/process-identity.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import type { StoredData } from './stored-data.ts';

/** One thing that was looked at. */
export interface Finding {
  /** What: "Disk space". */
  check: string;
  /** `problem`: something does not work, or will not; `warning`: it may come to that. */
  result: 'ok' | 'warning' | 'problem';
  says: string;
  /** What to do about it; absent where nothing is to be done. */
  fix?: string;
}

/** What the checks work with. Nothing that they do changes anything. */
export interface Patient {
  home: Home;
  /** False before the first start. */
  exists: boolean;
  /** As the next start would have them; undefined where they are wrong. */
  settings: Settings | undefined;
  /** What the database holds; undefined where there is none, or it cannot be read. */
  stored: StoredData | undefined;
  /** The daemon, also one that hangs. */
  daemon: ProcessIdentity | undefined;
  env: NodeJS.ProcessEnv;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Throws for what it could not find out. */
export type Check = (patient: Patient) => Finding[] | Promise<Finding[]>;

export const ok = (check: string, says: string): Finding => ({ check, result: 'ok', says });
export const warning = (check: string, says: string, fix: string): Finding => ({ check, result: 'warning', says, fix });
export const problem = (check: string, says: string, fix: string): Finding => ({ check, result: 'problem', says, fix });
