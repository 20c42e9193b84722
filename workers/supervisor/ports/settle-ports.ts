import {
  firstCollision,
  type PortChange,
  type PortConflict,
  type PortUse,
  portName,
} from '../../../shared/domain/instance/port-use.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { PortWish } from './game-ports.ts';
import { PortInUse } from './port-in-use.ts';

/** After this many attempts, it is no coincidence that every chosen port is taken. */
const MOST_MOVES = 20;

export interface PortSettling {
  /** Leases all ports together from the daemon, in place of those before. Returns the conflict if another instance has one of them. */
  lease: (ports: PortUse[]) => Promise<PortConflict | null>;
  /** Throws `port_in_use` if another program listens on the port. */
  probe: (port: PortUse) => Promise<void>;
  pick: (wish: Omit<PortUse, 'port'>) => Promise<number>;
  /** Returns a change of this port that resolves a conflict; `undefined`: none is known. */
  suggest: (taken: PortUse) => Promise<PortChange | undefined>;
}

/** A port of the game, and the property with its number. */
export type SettledPort = PortUse & { key: string };

/**
 * Finds the ports of a game: leased among the instances and free on the machine. Movable ports are moved. Throws PortInUse, naming the
 * port and its holder; the name of another instance is only for callers who may see that instance.
 */
export async function settlePorts(
  wishes: readonly PortWish[],
  { lease, probe, pick, suggest }: PortSettling,
): Promise<SettledPort[]> {
  const wanted = await Promise.all(wishes.map(async (wish) => ({ ...wish, port: wish.port ?? (await pick(wish)) })));
  for (let moves = 0; ; moves++) {
    const obstacle = await firstObstacle(wanted, { lease, probe });
    if (!obstacle) return wanted.map(({ movable: _, ...port }) => port);
    const { at, error } = obstacle;
    const moving = wanted[at];
    if (!moving?.movable || moves >= MOST_MOVES) throw new PortInUse(error, moving && (await suggest(toUse(moving))));
    wanted[at] = { ...moving, port: await pick(moving) };
  }
}

type Wanted = SettledPort & { movable: boolean };

/** Returns the index of the first port that is not available, and why. */
async function firstObstacle(
  wanted: readonly Wanted[],
  { lease, probe }: Pick<PortSettling, 'lease' | 'probe'>,
): Promise<{ at: number; error: GamekeeperError } | undefined> {
  const own = ownCollision(wanted);
  if (own) return own;
  const conflict = await lease(wanted.map(toUse));
  if (conflict) return { at: indexOf(wanted, conflict.wanted), error: leasedElsewhere(conflict) };
  for (const [at, port] of wanted.entries()) {
    try {
      await probe(port);
    } catch (error) {
      if (!(error instanceof GamekeeperError) || error.code !== 'port_in_use') throw error;
      return { at, error };
    }
  }
  return undefined;
}

/** Returns a collision between two ports of the same game. The later port moves, unless only the earlier one is movable. */
function ownCollision(wanted: readonly Wanted[]): { at: number; error: GamekeeperError } | undefined {
  for (const [at, port] of wanted.entries()) {
    const found = firstCollision([port], wanted.slice(0, at));
    if (!found) continue;
    const [mine, other] = [portName(port), portName(found.taken)];
    return {
      at: port.movable ? at : wanted.indexOf(found.taken),
      error: new GamekeeperError('port_in_use', `The ${mine} ${port.port} is also the server's ${other}.`, {
        resolution:
          port.purpose === 'named'
            ? `Give the instance another number for the ${mine}.`
            : `Give ${port.key} in server.properties another value.`,
      }),
    };
  }
  return undefined;
}

function leasedElsewhere({ wanted, holder }: PortConflict): GamekeeperError {
  const mine = `The ${portName(wanted)} ${wanted.port} is in use by`;
  if (!holder)
    return new GamekeeperError('port_in_use', `${mine} Gamekeeper itself.`, {
      resolution: 'Give the server another port.',
    });
  const { id, name } = holder;
  const as = `as its ${portName(holder)}`;
  const resolutionFor = (other: string) =>
    wanted.purpose === 'discovery'
      ? 'Set enable-lan-visibility to false in server.properties: only one server on a machine can be found that way.'
      : `Stop ${other}, or give one of the two servers another port.`;
  return new GamekeeperError('port_in_use', `${mine} another instance, ${as}.`, {
    resolution: resolutionFor('that instance'),
    otherInstance: {
      id,
      detail: `${mine} the instance "${id}"${name === id ? '' : ` (${name})`}, ${as}.`,
      resolution: resolutionFor(`"${id}"`),
    },
  });
}

function indexOf(wanted: readonly Wanted[], { purpose, transport, port }: PortUse): number {
  const isSame = (one: Wanted) => one.purpose === purpose && one.transport === transport && one.port === port;
  return wanted.findIndex(isSame);
}

function toUse({ purpose, label, transport, port, host }: Wanted): PortUse {
  return { purpose, ...(label !== undefined && { label }), transport, port, ...(host !== undefined && { host }) };
}
