import { EventEmitter } from 'node:events';
import type { HandedOver } from '../../../shared/contract/supervisor-boot.ts';
import type { Phase } from '../../../shared/domain/instance/phase.ts';
import type { GameProcess } from '../game/game-process.ts';
import type { GameRules } from '../game/game-rules.ts';
import { askerOf } from '../players/ask-for-players.ts';
import type { Movement } from '../players/movements.ts';
import { Presence } from '../players/presence.ts';
import { type DiskWatch, watchDisk } from './disk-watch.ts';
import { type TickWatch, watchTicks } from './tick-watch.ts';
import { type PingOutcome, type Vitals, watchVitals } from './vitals.ts';

/** The part of a lifecycle that decides what is observed. */
export interface Observed {
  phase: Phase;
  game: GameProcess | undefined;
  rules: GameRules | undefined;
}

export interface ObservationOptions {
  /** Returns the server's folder. */
  folder: () => string;
  /** Between two list pings, milliseconds. */
  pingEveryMs: number;
  /** Between two questions for the tick time, milliseconds. */
  ticksEveryMs: number;
  /** Who is online in the game that a former supervisor has handed over. */
  players?: HandedOver['players'] | undefined;
}

export interface ObservationEvents {
  /** `vitals`, `ticks` or `presence` has changed. */
  change: [];
  ping: [PingOutcome];
  /** A player came or left, or the game with the player on it has ended. */
  movement: [Movement];
}

/** Observes the game: its players from its launch on, and its vitals once it is ready. */
export class Observation extends EventEmitter<ObservationEvents> {
  readonly #options: ObservationOptions;
  #game: GameProcess | undefined;
  #presence = new Presence({ edition: 'java' }, Date.now);
  #stopFollowing: (() => void) | undefined;
  #vitals: Vitals | undefined;
  #ticks: TickWatch | undefined;
  #disk: DiskWatch | undefined;
  #phase: Phase | undefined;

  constructor(options: ObservationOptions) {
    super();
    this.#options = options;
  }

  get presence(): Presence {
    return this.#presence;
  }

  get vitals(): Vitals | undefined {
    return this.#vitals;
  }

  /** Absent if the game does not support it. */
  get ticks(): TickWatch | undefined {
    return this.#ticks;
  }

  get disk(): DiskWatch | undefined {
    return this.#disk;
  }

  update({ phase, game, rules }: Observed): void {
    this.#phase = phase;
    if (game !== this.#game) this.#replaceGame(game, rules);
    if (phase !== 'running' || !game || !rules || this.#vitals) return;
    const { pingEveryMs } = this.#options;
    this.#vitals = watchVitals({
      // Started at, on the monotonic clock of the intervals.
      process: { pid: game.pid, startedAt: performance.now() - (Date.now() - game.startedAt) },
      ask: askerOf(game, { definition: rules.definition, presence: this.#presence }),
      pingEveryMs,
      now: () => performance.now(),
      onPing: (outcome) => this.emit('ping', outcome),
      onChange: () => this.emit('change'),
    });
    this.#ticks = this.#watchTicks(game, rules);
    this.#disk = watchDisk(this.#options.folder());
  }

  stop(): void {
    this.#replaceGame(undefined, undefined);
  }

  #replaceGame(game: GameProcess | undefined, rules: GameRules | undefined): void {
    this.#stopFollowing?.();
    this.#vitals?.stop();
    this.#vitals = undefined;
    this.#ticks?.stop();
    this.#ticks = undefined;
    this.#disk?.stop();
    this.#disk = undefined;
    this.#game = game;
    for (const name of this.#presence.names) this.emit('movement', { name, hasLeft: true });
    this.#presence = new Presence(rules?.definition ?? { edition: 'java' }, Date.now, (movement) => {
      this.emit('movement', movement);
      this.emit('change');
    });
    this.#stopFollowing = game && this.#presence.follow(game);
    if (game?.isRecovered) this.#presence.adopt(this.#options.players ?? []);
  }

  #watchTicks({ rcon }: GameProcess, { definition: { tickTime: questions = [] } }: GameRules): TickWatch | undefined {
    if (!rcon || questions.length === 0) return undefined;
    return watchTicks({
      questions,
      rcon,
      mayAsk: () => this.#phase === 'running',
      everyMs: this.#options.ticksEveryMs,
      onChange: () => this.emit('change'),
    });
  }
}
