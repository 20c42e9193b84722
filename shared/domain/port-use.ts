/** What a server listens for. */
export const PORT_PURPOSES = ['game', 'game-ipv6', 'query', 'rcon', 'management', 'discovery'] as const;
export type PortPurpose = (typeof PORT_PURPOSES)[number];

/** A port that a server listens on, or wants to. */
export interface PortUse {
  purpose: PortPurpose;
  transport: 'tcp' | 'udp';
  port: number;
  /** Address that it binds; absent: every one of the machine. */
  host?: string;
}

/** Who has a port already, to those who want it. */
export interface PortConflict {
  /** The one that was wanted. */
  wanted: PortUse;
  /** The instance that has it, and what for; `null`: Gamekeeper itself. */
  holder: { id: string; name: string; purpose: PortPurpose } | null;
}

const NAMES: Readonly<Record<PortPurpose, string>> = {
  game: 'port',
  'game-ipv6': 'IPv6 port',
  query: 'query port',
  rcon: 'RCON port',
  management: 'management port',
  discovery: 'LAN discovery port',
};

/** The purpose in a sentence. */
export function portName(purpose: PortPurpose): string {
  return NAMES[purpose];
}

/** True when only one of the two can be listened on. */
function collide(one: PortUse, other: PortUse): boolean {
  if (one.port !== other.port || one.transport !== other.transport) return false;
  const [mine, its] = [one.host, other.host].map(boundAddress);
  return mine === undefined || its === undefined || mine === its;
}

/** The first port of `wanted` that one of `taken` keeps it from having. */
export function firstCollision<T extends PortUse>(
  wanted: readonly PortUse[],
  taken: readonly T[],
): { wanted: PortUse; taken: T } | undefined {
  for (const use of wanted) {
    const holder = taken.find((candidate) => collide(use, candidate));
    if (holder) return { wanted: use, taken: holder };
  }
  return undefined;
}

/** `undefined`: all of them. */
export function boundAddress(host: string | undefined): string | undefined {
  const address = host?.trim().toLowerCase() ?? '';
  if (['', '0.0.0.0', '::', '*'].includes(address)) return undefined;
  return address === 'localhost' ? '127.0.0.1' : address;
}
