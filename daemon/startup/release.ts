import { protocolOf } from '../../shared/contract/call.ts';
import { VERSION } from '../../shared/domain/version.ts';
import { type Schema, THIS_SCHEMA } from '../store/schema.ts';

/**
 * What a version of Gamekeeper is compatible with. `gamekeeper upgrade` uses it to decide whether the version can take over. A version
 * migrates an older database and refuses a newer one.
 */
export interface Release extends Schema {
  version: string;
  /** The supervisor protocols it speaks. */
  supervisors: { oldest: number; newest: number };
}

/** Printed by `dist/daemon/main.js --describe` and read by `gamekeeper upgrade` of any other version. */
export function thisRelease(): Release {
  return { version: VERSION, supervisors: protocolOf('supervisor:any'), ...THIS_SCHEMA };
}
