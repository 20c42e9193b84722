import { readFile, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { SOFTWARE } from '../../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import { placeholdersIn } from '../../../shared/domain/software/placeholders.ts';
import { readCustomSoftware } from '../../software/read-custom-software.ts';
import { formatBytes } from '../terminal/quantities.ts';
import { type Check, ok, problem, warning } from './finding.ts';
import { nearestFolder } from './nearest-folder.ts';

const OLDEST_NODE = 24;
const MIB = 1024 ** 2;
/** Enough for the database and the logs of a day. */
const LEAST_DISK_BYTES = 512 * MIB;
/** Enough for a world and its backup. */
const LITTLE_DISK_BYTES = 5 * 1024 * MIB;
const LITTLE_MEMORY_BYTES = 512 * MIB;
/** The share of the machine's memory that servers may use; the system needs the rest. */
const SERVERS_SHARE = 0.9;
/** Each server, connection and console viewer needs some. */
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
          `Use Gamekeeper's own Node (npx gamekeeper), or Node ${OLDEST_NODE}.`,
        ),
  ];
};

/** Checks the disks of the data directory and the backups. */
export const checkDisk: Check = async ({ home, settings }) => {
  const folders = new Set([home.root, settings?.backups.directory ?? home.root]);
  return Promise.all(
    [...folders].map(async (folder) => {
      const { bavail, bsize } = await statfs(await nearestFolder(folder));
      const free = bavail * bsize;
      const says = `${formatBytes(free)} free for ${folder}`;
      const fix =
        'Delete files, such as old backups (gamekeeper backups <id>), or keep fewer backups (backups.retention).';
      if (free < LEAST_DISK_BYTES) return problem('Disk space', `Only ${says}.`, fix);
      return free < LITTLE_DISK_BYTES ? warning('Disk space', `Only ${says}.`, fix) : ok('Disk space', says);
    }),
  );
};

export const checkMemory: Check = async ({ home, stored }) => {
  const total = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const available = process.availableMemory();
  const kinds = [...SOFTWARE, ...(await readCustomSoftware(home.software)).kinds];
  // For the others `memoryMb` is only a number that nothing enforces.
  const limited = kinds.filter(limitsMemory).map(({ kind }) => kind);
  const wanted = (stored?.instances ?? [])
    .filter(({ software }) => limited.includes(software))
    .reduce((sum, { memoryMb }) => sum + memoryMb * MIB, 0);
  const says = `${formatBytes(available)} of ${formatBytes(total)} available`;
  const findings = [
    available < LITTLE_MEMORY_BYTES
      ? warning('Memory', `Only ${says}.`, 'Close other programs, or give a server less memory (memoryMb).')
      : ok('Memory', says),
  ];
  if (wanted > total * SERVERS_SHARE)
    findings.push(
      warning(
        'Memory',
        `The servers with a limit may together use ${formatBytes(wanted)}, and the machine has ${formatBytes(total)}.`,
        'Do not run all servers at the same time, or give them less memory (memoryMb).',
      ),
    );
  return findings;
};

/** Whether the program is started with `memoryMb` as its limit. */
function limitsMemory({ launch }: SoftwareDefinition): boolean {
  if (launch.type === 'java') return true;
  if (launch.type !== 'installed' && launch.type !== 'system') return false;
  return [...launch.args, ...Object.values(launch.env)].some((text) => placeholdersIn(text).includes('memoryMb'));
}

/** Checks the limit of the running daemon, which its processes inherit; without a daemon, the limit of this shell. */
export const checkDescriptors: Check = async ({ daemon }) => {
  const limit = (daemon && (await descriptorsOf(daemon.pid))) ?? ownDescriptors();
  if (limit === undefined) return []; // Windows has no such limit
  const says = `${limit} open files and connections`;
  const fix =
    'Raise the limit: ulimit -n 65536 in the shell, LimitNOFILE= in the service, nofile in /etc/security/limits.conf. ' +
    'Then restart Gamekeeper.';
  if (limit === 'unlimited' || limit >= LITTLE_DESCRIPTORS) return [ok('Open files', says)];
  return [
    limit < LEAST_DESCRIPTORS
      ? problem('Open files', `Only ${says}.`, fix)
      : warning('Open files', `Only ${says}.`, fix),
  ];
};

type Limit = number | 'unlimited';

/** Returns the soft limit (proc_pid_limits(5)); `undefined` if the process is gone, or not on Linux. */
async function descriptorsOf(pid: number): Promise<Limit | undefined> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8').catch(() => '');
  const soft = /^Max open files +(\S+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : soft === 'unlimited' ? soft : Number(soft);
}

function ownDescriptors(): Limit | undefined {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: Limit } } };
  return userLimits?.open_files?.soft;
}
