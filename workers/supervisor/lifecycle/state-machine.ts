import { EventEmitter } from 'node:events';
import type { Phase } from '../../../shared/domain/instance/phase.ts';
import { type Event, hasProcess, isAllowed, isAtRest, nextState, phaseOf, refusal, type State } from './state-table.ts';

/** The state of one instance. Emits `change` when its visible part changes: its phase, or whether it is at rest. */
export class StateMachine extends EventEmitter<{ change: [] }> {
  readonly #waiters = new Set<() => void>();
  readonly #record: (state: State) => void;
  #state: State;
  #left = new AbortController();

  /** `record` is called with each new state before anyone else can see it. */
  constructor(state: State, record: (state: State) => void = () => undefined) {
    super();
    this.#state = state;
    this.#record = record;
  }

  get state(): State {
    return this.#state;
  }

  get phase(): Phase {
    return phaseOf(this.#state);
  }

  get hasProcess(): boolean {
    return hasProcess(this.#state);
  }

  get isAtRest(): boolean {
    return isAtRest(this.#state);
  }

  /** Fires when the present state is left. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  allows(event: Event): boolean {
    return isAllowed(this.#state, event);
  }

  assertAllowed(event: Event): void {
    if (!this.allows(event)) throw refusal(this.#state, event);
  }

  /** Throws `invalid_state` for an event that cannot happen now, and then stays in its state. */
  enter(event: Event): void {
    const before = this.#state;
    const { phase, isAtRest } = this;
    this.#state = nextState(before, event);
    if (this.#state !== before) {
      this.#record(this.#state);
      this.#left.abort();
      this.#left = new AbortController();
    }
    if (this.phase !== phase || this.isAtRest !== isAtRest) this.announce();
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }

  /** Emits `change` without a transition, for other things that are shown with the state. */
  announce(): void {
    this.emit('change');
  }

  /** Resolves to true once `condition` holds, which is checked after each transition; to false if `signal` fires first. */
  async until(condition: () => boolean, signal?: AbortSignal): Promise<boolean> {
    while (!condition()) {
      if (signal?.aborted) return false;
      await new Promise<void>((resolve) => {
        this.#waiters.add(resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    return true;
  }
}
