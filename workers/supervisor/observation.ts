import type { Game } from './game.ts';
import type { GameRules } from './game-rules.ts';
import { Presence } from './players/presence.ts';
import type { State } from './state-table.ts';
import { type Vitals, watchVitals } from './vitals.ts';

/** What there is to observe now. */
export interface Observed {
  state: State;
  game: Game | undefined;
  rules: GameRules | undefined;
}

/** Watches the game that runs, and nothing while none does: who plays from its launch on, how it fares from when it is ready. */
export class Observation {
  readonly #onChange: () => void;
  #game: Game | undefined;
  #presence = new Presence('java', Date.now);
  #stopFollowing: (() => void) | undefined;
  #vitals: Vitals | undefined;

  /** @param onChange called when `vitals` or `presence` has changed */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get presence(): Presence {
    return this.#presence;
  }

  get vitals(): Vitals | undefined {
    return this.#vitals;
  }

  /** To be called after each transition. */
  update({ state, game, rules }: Observed): void {
    if (game !== this.#game) this.#exchange(game, rules);
    if (state === 'running' && game && rules && !this.#vitals) {
      this.#vitals = watchVitals({
        pid: game.pid,
        // Intervals by a clock that nobody sets.
        startedAt: performance.now() - (Date.now() - game.startedAt),
        address: rules.definition.listPing ? game.folder : undefined,
        now: () => performance.now(),
        onChange: this.#onChange,
      });
    }
  }

  stop(): void {
    this.#exchange(undefined, undefined);
  }

  #exchange(game: Game | undefined, rules: GameRules | undefined): void {
    this.#stopFollowing?.();
    this.#vitals?.stop();
    this.#vitals = undefined;
    this.#game = game;
    this.#presence = new Presence(rules?.definition.edition ?? 'java', Date.now, this.#onChange);
    this.#stopFollowing = game && this.#presence.follow(game.lines);
  }
}
