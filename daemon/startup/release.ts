import { protocolOf } from '../../shared/contract/call.ts';
import { VERSION } from '../../shared/domain/version.ts';
import { type Schema, THIS_SCHEMA } from '../store/schema.ts';

/**
 * What a version of Gamekeeper says of itself without being run, so that another one can tell whether it may take over. It
 * brings an older database up to date, and takes no newer one.
 */
export interface Release extends Schema {
  version: string;
  /** Which protocols of supervisors it talks to. */
  supervisors: { oldest: number; newest: number };
}

/** This one; printed by `dist/daemon/main.js --describe`, and read by `gamekeeper upgrade` of any other version. */
export function thisRelease(): Release {
  return { version: VERSION, supervisors: protocolOf('supervisor:any'), ...THIS_SCHEMA };
}
