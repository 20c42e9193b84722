import { existsSync } from 'node:fs';
import type { Home } from '../../../shared/node/files/home.ts';
import { loadSettings } from '../../../shared/node/files/settings-file.ts';
import { lockOwner } from '../api/lock-owner.ts';
import * as folder from './data-directory.ts';
import { type Check, type Finding, problem, type Subject } from './finding.ts';
import { checkJava } from './java.ts';
import { checkDescriptors, checkDisk, checkMemory, checkNode } from './machine.ts';
import { checkCertificate, checkPorts, checkVendors } from './network.ts';
import { checkDaemon, checkServers } from './processes.ts';
import { checkService } from './service.ts';
import { readStoredData } from './stored-data.ts';
import { checkTunnelServers, checkTunnels } from './tunnels.ts';

/** In the order of the report. */
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
  ['Tunnels', checkTunnels],
];

const ONLINE_CHECKS: typeof CHECKS = [
  ['Tunnels', checkTunnelServers],
  ['Vendors', checkVendors],
];

export interface ExamineOptions {
  home: Home;
  env: NodeJS.ProcessEnv;
  /** Milliseconds since the epoch. */
  now: number;
  /** Also contact the vendors, and the machines that tunnels lead to. */
  online: boolean;
}

/** Runs all checks, whether the daemon runs or not, and changes nothing. */
export async function examine({ home, env, now, online }: ExamineOptions): Promise<Finding[]> {
  const subject: Subject = {
    home,
    exists: existsSync(home.root),
    // Problems with the settings are reported by their own check.
    settings: await loadSettings(home.settings, env).catch(() => undefined),
    stored: storedData(home),
    daemon: await lockOwner(home),
    env,
    now,
  };
  const findings: Finding[] = [];
  const checks = online ? [...CHECKS, ...ONLINE_CHECKS] : CHECKS;
  for (const [name, check] of checks) {
    try {
      findings.push(...(await check(subject)));
    } catch (error) {
      findings.push(
        problem(name, `The check failed: ${(error as Error).message}`, 'Solve the problem in the message.'),
      );
    }
  }
  return findings;
}

function storedData(home: Home): Subject['stored'] {
  try {
    return readStoredData(home.database);
  } catch {
    return undefined; // reported by the check of the database
  }
}
