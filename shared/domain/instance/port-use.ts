export const PORT_PURPOSES = ['game', 'game-ipv6', 'query', 'rcon', 'management', 'discovery', 'named'] as const;
export type PortPurpose = (typeof PORT_PURPOSES)[number];

export interface PortUse {
  purpose: PortPurpose;
  transport: 'tcp' | 'udp';
  port: number;
  /** Name of a `named` port, which its kind declares. */
  label?: string;
  /** Address to bind; absent: all addresses. */
  host?: string;
}

export interface PortConflict {
  wanted: PortUse;
  /** The instance that uses the port; `null`: Gamekeeper itself. */
  holder: ({ id: string; name: string } & Pick<PortUse, 'purpose' | 'label'>) | null;
}

export const PORT_SETTINGS = ['port', 'ports', 'properties'] as const;

/** Another number for a port of an instance, which nobody uses. */
export interface PortChange {
  /** Where the port is set: in the instance, in its `ports`, or in `server.properties`. */
  setting: (typeof PORT_SETTINGS)[number];
  /** `port`, or the name in there. */
  key: string;
  port: number;
}

const NAMES: Readonly<Record<Exclude<PortPurpose, 'named'>, string>> = {
  game: 'port',
  'game-ipv6': 'IPv6 port',
  query: 'query port',
  rcon: 'RCON port',
  management: 'management port',
  discovery: 'LAN discovery port',
};

export function portName({ purpose, label = '' }: Pick<PortUse, 'purpose' | 'label'>): string {
  return purpose === 'named' ? `${label} port` : NAMES[purpose];
}

function collide(one: PortUse, other: PortUse): boolean {
  if (one.port !== other.port || one.transport !== other.transport) return false;
  const [mine, its] = [one.host, other.host].map(boundAddress);
  return mine === undefined || its === undefined || mine === its;
}

/** Returns the first port of `wanted` that collides with one of `taken`. */
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

/** Returns the address to compare; `undefined`: all addresses. */
export function boundAddress(host: string | undefined): string | undefined {
  const address = host?.trim().toLowerCase() ?? '';
  if (['', '0.0.0.0', '::', '*'].includes(address)) return undefined;
  return address === 'localhost' ? '127.0.0.1' : address;
}
