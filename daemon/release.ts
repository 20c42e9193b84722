import { protocolOf } from '../shared/contract/call.ts';
import { VERSION } from '../shared/domain/version.ts';
import { SCHEMA } from './store/migrations.ts';

/** What a version of Gamekeeper says of itself without being run, so that another one can tell whether it may take over. */
export interface Release {
  version: string;
  /** Which protocols of supervisors it talks to. */
  supervisors: { oldest: number; newest: number };
  /** How many steps its database has; it brings an older one up to date, and takes no newer one. */
  schema: number;
}

/** This one; printed by `dist/daemon/main.js --describe`, and read by `gamekeeper upgrade` of any other version. */
export function thisRelease(): Release {
  return { version: VERSION, supervisors: protocolOf('supervisor:any'), schema: SCHEMA };
}
