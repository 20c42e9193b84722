import { readdir, readFile, readlink } from 'node:fs/promises';

export interface PortHolder {
  pid: number;
  /** The program's name, as `ps` shows it. */
  name: string;
}

/** What the kernel calls a socket that waits for others, by table of /proc/net (proc_net(5): `TCP_LISTEN`, and `TCP_CLOSE` for UDP). */
const WAITING = { tcp: '0A', udp: '07' } as const;

type Transport = keyof typeof WAITING;

/**
 * The process that listens on a port. Linux only, and only among the processes that this user may look into: `undefined`
 * where it cannot be known.
 */
export async function findPortHolder(port: number, transport: Transport): Promise<PortHolder | undefined> {
  if (process.platform !== 'linux') return undefined;
  const sockets = await listeningSockets(port, transport);
  if (sockets.size === 0) return undefined;
  for (const entry of await list('/proc')) {
    if (/^\d+$/.test(entry) && (await holdsOneOf(entry, sockets))) {
      const name = await readFile(`/proc/${entry}/comm`, 'utf8').catch(() => ''); // gone meanwhile
      return { pid: Number(entry), name: name.trim() || 'a program' };
    }
  }
  return undefined;
}

/** What /proc/<pid>/fd shows for the sockets that listen on the port: `socket:[inode]`. */
async function listeningSockets(port: number, transport: Transport): Promise<Set<string>> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const found = new Set<string>();
  for (const table of [`/proc/net/${transport}`, `/proc/net/${transport}6`]) {
    const text = await readFile(table, 'utf8').catch(() => ''); // no IPv6, or a sandbox without /proc/net
    for (const line of text.split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[3] === WAITING[transport] && fields[1]?.endsWith(suffix)) found.add(`socket:[${fields[9]}]`);
    }
  }
  return found;
}

async function holdsOneOf(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  for (const descriptor of await list(`/proc/${pid}/fd`)) {
    const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => ''); // closed meanwhile
    if (sockets.has(target)) return true;
  }
  return false;
}

/** Other users' processes cannot be looked into, and processes come and go: both count as empty. */
function list(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
