import { readdir, readFile, readlink } from 'node:fs/promises';

export interface PortHolder {
  pid: number;
  /** The name of the program as in `ps`. */
  name: string;
}

/** The state of a listening socket, by table of /proc/net (proc_net(5): `TCP_LISTEN`, and `TCP_CLOSE` for UDP). */
const LISTENING = { tcp: '0A', udp: '07' } as const;

type Transport = keyof typeof LISTENING;

/** Returns the process that listens on a port, or `undefined` if it is unknown: not on Linux, or the process of another user. */
export async function findPortHolder(port: number, transport: Transport): Promise<PortHolder | undefined> {
  if (process.platform !== 'linux') return undefined;
  const sockets = await listeningSockets(port, transport);
  if (sockets.size === 0) return undefined;
  for (const entry of await list('/proc')) {
    if (/^\d+$/.test(entry) && (await holdsOneOf(entry, sockets))) {
      const name = await readFile(`/proc/${entry}/comm`, 'utf8').catch(() => ''); // ended meanwhile
      return { pid: Number(entry), name: name.trim() || 'a program' };
    }
  }
  return undefined;
}

/** True if one of these processes listens on a port. Linux only. `pids` is called only if any process does. */
export async function isPortHeldBy(
  pids: () => readonly number[],
  { port, transport }: { port: number; transport: Transport },
): Promise<boolean> {
  const sockets = await listeningSockets(port, transport);
  if (sockets.size === 0) return false;
  const held = await Promise.all(pids().map((pid) => holdsOneOf(String(pid), sockets)));
  return held.includes(true);
}

/** Returns the sockets that listen on the port, as /proc/<pid>/fd shows them: `socket:[inode]`. */
async function listeningSockets(port: number, transport: Transport): Promise<Set<string>> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const found = new Set<string>();
  for (const table of [`/proc/net/${transport}`, `/proc/net/${transport}6`]) {
    const text = await readFile(table, 'utf8').catch(() => ''); // no IPv6, or a sandbox without /proc/net
    for (const line of text.split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[3] === LISTENING[transport] && fields[1]?.endsWith(suffix)) found.add(`socket:[${fields[9]}]`);
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

/** Returns nothing for an ended process, or one of another user. */
function list(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
