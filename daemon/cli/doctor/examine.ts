import { existsSync } from 'node:fs';
import type { Home } from '../../../shared/node/files/home.ts';
import { loadSettings } from '../../../shared/node/files/settings-file.ts';
import { lockOwner } from '../api/lock-owner.ts';
import * as folder from './data-directory.ts';
import { type Check, type Finding, type Patient, problem } from './finding.ts';
import { checkJava } from './java.ts';
import { checkDescriptors, checkDisk, checkMemory, checkNode } from './machine.ts';
import { checkCertificate, checkPorts, checkVendors } from './network.ts';
import { checkDaemon, checkServers } from './processes.ts';
import { checkService } from './service.ts';
import { readStoredData } from './stored-data.ts';

/** In the order in which they are told. */
const CHECKS: readonly [name: string, check: Check][] = [
  ['Node', checkNode],
  ['Data directory', folder.checkFolder],
  ['Privacy', folder.checkPrivateFiles],
  ['Settings', folder.checkSettingsFile],
  ['Database', folder.checkDatabase],
  ['Backups', folder.checkBackupFolder],
  ['Disk space', checkDisk],
  ['Memory', checkMemory],
  ['Open files', checkDescriptors],
  ['Clock', folder.checkClock],
  ['Gamekeeper', checkDaemon],
  ['Servers', checkServers],
  ['Ports', checkPorts],
  ['TLS certificate', checkCertificate],
  ['Java', checkJava],
  ['Service', checkService],
];

export interface Examination {
  home: Home;
  env: NodeJS.ProcessEnv;
  /** Milliseconds since the epoch. */
  now: number;
  /** Ask the vendors as well. */
  online: boolean;
}

/** Looks at everything, whether the daemon runs or not, and changes nothing. */
export async function examine({ home, env, now, online }: Examination): Promise<Finding[]> {
  const patient: Patient = {
    home,
    exists: existsSync(home.root),
    // What is wrong with them has checks of its own.
    settings: await loadSettings(home.settings, env).catch(() => undefined),
    stored: storedData(home),
    daemon: await lockOwner(home),
    env,
    now,
  };
  const findings: Finding[] = [];
  const checks = online ? [...CHECKS, ['Vendors', checkVendors] as const] : CHECKS;
  for (const [name, check] of checks) {
    try {
      findings.push(...(await check(patient)));
    } catch (error) {
      findings.push(
        problem(name, `It cannot be looked at: ${(error as Error).message}`, 'See to what the message says.'),
      );
    }
  }
  return findings;
}

function storedData(home: Home): Patient['stored'] {
  try {
    return readStoredData(home.database);
  } catch {
    return undefined; // which the check of the database tells
  }
}
