import type { Phase } from '../../../shared/domain/phase.ts';
import type { GameProcess } from '../game/game-process.ts';
import type { GameRules } from '../game/game-rules.ts';
import { pingBedrockServer } from '../players/bedrock-ping.ts';
import { pingServer } from '../players/list-ping.ts';
import { Presence } from '../players/presence.ts';
import { type TickWatch, watchTicks } from './tick-watch.ts';
import { type PingOutcome, type Vitals, watchVitals } from './vitals.ts';

/** What there is to observe now. */
export interface Observed {
  phase: Phase;
  game: GameProcess | undefined;
  rules: GameRules | undefined;
}

export interface ObservationOptions {
  /** Milliseconds. */
  pingEveryMs: number;
  /** Between two questions for the tick time. Milliseconds. */
  ticksEveryMs: number;
  /** Called when `vitals`, `ticks` or `presence` has changed. */
  onChange: () => void;
  /** Called with what each list ping has brought. */
  onPing: (outcome: PingOutcome) => void;
  /** Called when, by the console, somebody has come or gone. */
  onPresence: () => void;
}

/** Watches the game that runs, and nothing while none does: who plays from its launch on, how it fares from when it is ready. */
export class Observation {
  readonly #options: ObservationOptions;
  #game: GameProcess | undefined;
  #presence = new Presence('java', Date.now);
  #stopFollowing: (() => void) | undefined;
  #vitals: Vitals | undefined;
  #ticks: TickWatch | undefined;
  #phase: Phase | undefined;

  constructor(options: ObservationOptions) {
    this.#options = options;
  }

  get presence(): Presence {
    return this.#presence;
  }

  get vitals(): Vitals | undefined {
    return this.#vitals;
  }

  /** Absent where the game cannot be asked. */
  get ticks(): TickWatch | undefined {
    return this.#ticks;
  }

  /** To be called after each transition. */
  update({ phase, game, rules }: Observed): void {
    this.#phase = phase;
    if (game !== this.#game) this.#exchange(game, rules);
    if (phase === 'running' && game && rules && !this.#vitals) {
      this.#vitals = watchVitals({
        pid: game.pid,
        // Intervals by a clock that nobody sets.
        startedAt: performance.now() - (Date.now() - game.startedAt),
        ask: askerOf(game, rules),
        now: () => performance.now(),
        ...this.#options,
      });
      this.#ticks = this.#watchTicks(game, rules);
    }
  }

  stop(): void {
    this.#exchange(undefined, undefined);
  }

  #exchange(game: GameProcess | undefined, rules: GameRules | undefined): void {
    this.#stopFollowing?.();
    this.#vitals?.stop();
    this.#vitals = undefined;
    this.#ticks?.stop();
    this.#ticks = undefined;
    this.#game = game;
    const { onChange, onPresence } = this.#options;
    this.#presence = new Presence(rules?.definition.edition ?? 'java', Date.now, () => {
      onPresence();
      onChange();
    });
    this.#stopFollowing = game && this.#presence.follow(game);
  }

  #watchTicks({ rcon }: GameProcess, { definition: { tickTime: questions = [] } }: GameRules): TickWatch | undefined {
    if (!rcon || questions.length === 0) return undefined;
    const { ticksEveryMs: everyMs, onChange } = this.#options;
    return watchTicks({ questions, rcon, mayAsk: () => this.#phase === 'running', everyMs, onChange });
  }
}

/** How the game is asked what it tells the server list; undefined where it tells nothing. */
function askerOf({ address: { host, port } }: GameProcess, { definition }: GameRules) {
  if (!definition.listPing) return undefined;
  const ask = definition.gamePort.transport === 'udp' ? pingBedrockServer : pingServer;
  return (timeoutMs: number) => ask({ host, port, timeoutMs });
}
