import type { Instance } from '../../api/transport/client.ts';
import { type Phase, phaseOf } from '../../ui/display/phase.ts';

export const SORTS = ['name', 'state', 'players', 'memory'] as const;
export const GROUPINGS = ['none', 'state', 'software'] as const;

/** How the list is shown. */
export interface Arrangement {
  /** Part of a name, id, software, version or port. */
  search: string;
  sort: (typeof SORTS)[number];
  group: (typeof GROUPINGS)[number];
}

/** States that belong together for whoever looks for a server, in their order in the list. */
export const STATES = ['crashed', 'running', 'sleeping', 'stopped'] as const;
export type State = (typeof STATES)[number];

export interface ServerGroup {
  /** A state, or a kind of software; '' if all servers are in one group. */
  key: string;
  servers: Instance[];
}

/** Returns the servers that match, in groups. A group is never empty. */
export function arrange(instances: readonly Instance[], { search, sort, group }: Arrangement): ServerGroup[] {
  const wanted = search.trim().toLocaleLowerCase();
  const found = instances
    .filter(({ id, name, software, version, port }) =>
      [id, name, software, version, String(port)].some((text) => text.toLocaleLowerCase().includes(wanted)),
    )
    .toSorted((a, b) => ORDERS[sort](a, b) || byName(a, b));
  const groups = new Map<string, Instance[]>();
  for (const instance of found)
    groups.set(KEYS[group](instance), [...(groups.get(KEYS[group](instance)) ?? []), instance]);
  const order = group === 'state' ? STATES.filter((state) => groups.has(state)) : [...groups.keys()].sort();
  return order.map((key) => ({ key, servers: groups.get(key) ?? [] }));
}

function stateOf(instance: Instance): State {
  return STATE_OF[phaseOf(instance)];
}

const STATE_OF: Record<Phase, State> = {
  crashed: 'crashed',
  provisioning: 'running',
  starting: 'running',
  running: 'running',
  stopping: 'running',
  sleeping: 'sleeping',
  stopped: 'stopped',
};

const KEYS: Record<Arrangement['group'], (instance: Instance) => string> = {
  none: () => '',
  state: stateOf,
  software: ({ software }) => software,
};

const ORDERS: Record<Arrangement['sort'], (a: Instance, b: Instance) => number> = {
  name: byName,
  state: (a, b) => STATES.indexOf(stateOf(a)) - STATES.indexOf(stateOf(b)),
  players: (a, b) => (b.playersOnline ?? 0) - (a.playersOnline ?? 0),
  memory: (a, b) => (b.memoryUsedMb ?? 0) - (a.memoryUsedMb ?? 0),
};

function byName(a: Instance, b: Instance): number {
  return a.name.localeCompare(b.name, undefined, { numeric: true }) || a.id.localeCompare(b.id);
}
