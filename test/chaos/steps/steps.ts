import { chanceFrom } from '../../support/kills/chance.ts';

const ROLES = ['daemon', 'gateway', 'jobs', 'supervisor', 'game'] as const;
/** The kinds of processes that are killed and paused. */
export type Role = (typeof ROLES)[number];

/** One action. `server` is an index; `which`, modulo their number, picks one of the backups or tokens that exist by then. */
export type Action =
  | { do: 'kill'; role: Role; server: number; backAfterMs: number }
  | { do: 'pause'; role: Role; server: number; forMs: number }
  /** Kills the daemon and a supervisor at the same time. */
  | { do: 'blackout'; server: number; backAfterMs: number }
  | { do: 'start' | 'stop' | 'restart' | 'backup'; server: number }
  | { do: 'restore' | 'verify'; server: number; which: number }
  | { do: 'command'; server: number; command: string }
  | { do: 'configure'; server: number; value: number }
  | { do: 'set'; value: number }
  | { do: 'token' }
  | { do: 'revoke'; which: number };

/** Actions on processes. */
export type Disruption = Extract<Action, { do: 'kill' | 'pause' | 'blackout' }>;

/** One action, and the pause before it. */
export type Step = { afterMs: number } & Action;

/** How often each action is chosen, relative to the others. */
const WEIGHTS: Readonly<Record<Action['do'], number>> = {
  kill: 20,
  pause: 12,
  blackout: 2,
  start: 14,
  stop: 5,
  restart: 3,
  backup: 14,
  restore: 4,
  verify: 4,
  command: 14,
  configure: 5,
  set: 5,
  token: 5,
  revoke: 2,
};
const DRAWN = Object.entries(WEIGHTS).flatMap(([what, weight]) =>
  Array<Action['do']>(weight).fill(what as Action['do']),
);

/** Longest pause between two steps: random, so that work is cut off at every point. Milliseconds. */
const LONGEST_BETWEEN_MS = 1_500;
/** Longest delay until a killed daemon is started again, as by a service manager. Milliseconds. */
const LONGEST_AWAY_MS = 1_000;
const SHORT_PAUSE_MS = 4_000;
/** One pause in this many is longer than a world lock's lease and than the time after which a gateway without heartbeat is replaced. */
const LONG_PAUSE_ONE_IN = 12;
const LONG_PAUSE_MS = 25_000;
/** One pause in this many is longer than any process that hangs is tolerated. Never the daemon's: only a person would end that. */
const HANG_ONE_IN = 40;
const HANG_MS = 90_000;
const MOST_FLOODED = 4_000;
const MANY = 1_000_000;
const PLAYERS = ['Ada', 'Grace', 'Linus', 'Margaret'] as const;

/** Yields the steps of a seed: always the same ones, whatever their outcome. Endless. */
export function* stepsOf(seed: number, servers: number): Generator<Step, never> {
  const chance = chanceFrom(seed);
  const { below, pick } = chance;
  for (;;) yield { afterMs: below(LONGEST_BETWEEN_MS), ...action() };

  function action(): Action {
    const what = pick(DRAWN);
    const server = below(servers);
    switch (what) {
      case 'kill':
        return { do: what, role: pick(ROLES), server, backAfterMs: below(LONGEST_AWAY_MS) };
      case 'pause': {
        const role = pick(ROLES);
        return { do: what, role, server, forMs: pauseMs(role) };
      }
      case 'blackout':
        return { do: what, server, backAfterMs: below(LONGEST_AWAY_MS) };
      case 'restore':
      case 'verify':
        return { do: what, server, which: below(MANY) };
      case 'command':
        return { do: what, server, command: command() };
      case 'configure':
        return { do: what, server, value: below(MANY) };
      case 'set':
        return { do: what, value: below(MANY) };
      case 'token':
        return { do: what };
      case 'revoke':
        return { do: what, which: below(MANY) };
      default:
        return { do: what, server };
    }
  }

  function pauseMs(role: Role): number {
    if (below(HANG_ONE_IN) === 0 && role !== 'daemon') return HANG_MS;
    return below(LONG_PAUSE_ONE_IN) === 0 ? LONG_PAUSE_MS : below(SHORT_PAUSE_MS);
  }

  function command(): string {
    const player = pick(PLAYERS);
    return pick([
      `demo join ${player} 203.0.113.${1 + below(250)}`,
      `demo leave ${player}`,
      `demo chat ${player} hello from ${below(MANY)}`,
      `demo flood ${1 + below(MOST_FLOODED)}`,
      'save-all',
      'list',
    ]);
  }
}

export function isDisruption<A extends Action>(action: A): action is A & Disruption {
  return action.do === 'kill' || action.do === 'pause' || action.do === 'blackout';
}

/** Returns a step as text for people. */
export function describeStep({ afterMs, ...action }: Step): string {
  const { do: what, ...details } = action;
  return `+${afterMs} ms ${what} ${Object.values(details).join(' ')}`.trimEnd();
}
