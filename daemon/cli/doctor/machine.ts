import { readFile, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { sayBytes } from '../terminal/quantities.ts';
import { type Check, ok, problem, warning } from './finding.ts';
import { nearestFolder } from './nearest-folder.ts';

const OLDEST_NODE = 24;
const MIB = 1024 ** 2;
/** The database and the logs of a day. */
const LEAST_DISK_BYTES = 512 * MIB;
/** A world and its backup. */
const LITTLE_DISK_BYTES = 5 * 1024 * MIB;
const LITTLE_MEMORY_BYTES = 512 * MIB;
/** Of the machine's memory, what its system needs as well. */
const SERVERS_SHARE = 0.9;
/** Each console viewer, server and connection takes some. */
const LEAST_DESCRIPTORS = 1_024;
const LITTLE_DESCRIPTORS = 4_096;

export const checkNode: Check = () => {
  const version = process.versions.node;
  return [
    Number.parseInt(version, 10) >= OLDEST_NODE
      ? ok('Node', version)
      : problem(
          'Node',
          `${version} is too old.`,
          `Use the one that comes with Gamekeeper (npx gamekeeper), or Node ${OLDEST_NODE}.`,
        ),
  ];
};

/** The disks of the data directory and of the backups, where that is another place. */
export const checkDisk: Check = async ({ home, settings }) => {
  const folders = new Set([home.root, settings?.backups.directory ?? home.root]);
  return Promise.all(
    [...folders].map(async (folder) => {
      const { bavail, bsize } = await statfs(await nearestFolder(folder));
      const free = bavail * bsize;
      const says = `${sayBytes(free)} free for ${folder}`;
      const fix =
        'Delete what is not needed, such as old backups (gamekeeper backups <id>), or keep fewer (backups.retention).';
      if (free < LEAST_DISK_BYTES) return problem('Disk space', `Only ${says}.`, fix);
      return free < LITTLE_DISK_BYTES ? warning('Disk space', `Only ${says}.`, fix) : ok('Disk space', says);
    }),
  );
};

export const checkMemory: Check = ({ stored }) => {
  const total = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const available = process.availableMemory();
  const wanted = (stored?.instances ?? []).reduce((sum, { memoryMb }) => sum + memoryMb * MIB, 0);
  const says = `${sayBytes(available)} of ${sayBytes(total)} available`;
  const findings = [
    available < LITTLE_MEMORY_BYTES
      ? warning('Memory', `Only ${says}.`, 'End other programs, or give a server less (memoryMb).')
      : ok('Memory', says),
  ];
  if (wanted > total * SERVERS_SHARE)
    findings.push(
      warning(
        'Memory',
        `All servers together may take ${sayBytes(wanted)}, and the machine has ${sayBytes(total)}.`,
        'Do not run all of them at once, or give them less (memoryMb).',
      ),
    );
  return findings;
};

/** The running daemon's, which all that it starts gets from it; without one, those of what would be started from here. */
export const checkDescriptors: Check = async ({ daemon }) => {
  const limit = (daemon && (await descriptorsOf(daemon.pid))) ?? ownDescriptors();
  if (limit === undefined) return []; // Windows has no such limit.
  const says = `${limit} files and connections at once`;
  const fix =
    'Raise the limit: ulimit -n 65536 in the shell, LimitNOFILE= in the service, nofile in /etc/security/limits.conf. ' +
    'It holds from the next start of Gamekeeper on.';
  if (limit === 'unlimited' || limit >= LITTLE_DESCRIPTORS) return [ok('Open files', says)];
  return [
    limit < LEAST_DESCRIPTORS
      ? problem('Open files', `Only ${says}.`, fix)
      : warning('Open files', `Only ${says}.`, fix),
  ];
};

type Limit = number | 'unlimited';

/** proc_pid_limits(5), the soft one; undefined: the process has gone, or this is not Linux. */
async function descriptorsOf(pid: number): Promise<Limit | undefined> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8').catch(() => '');
  const soft = /^Max open files +(\S+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : soft === 'unlimited' ? soft : Number(soft);
}

function ownDescriptors(): Limit | undefined {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: Limit } } };
  return userLimits?.open_files?.soft;
}
