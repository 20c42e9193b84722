import { type Event, isAllowed, nextState, refusal, type State } from './state-table.ts';

/** Where an instance is in the state table, and who waits for it to be elsewhere. */
export class StateMachine {
  readonly #onChange: () => void;
  readonly #waiters = new Set<() => void>();
  #state: State;

  /** `onChange` is called with every transition. */
  constructor(state: State, onChange: () => void) {
    this.#state = state;
    this.#onChange = onChange;
  }

  get state(): State {
    return this.#state;
  }

  /** Throws `invalid_state` for what cannot happen now. */
  assertAllowed(event: Event): void {
    if (!isAllowed(this.#state, event)) throw refusal(this.#state, event);
  }

  /** Throws as `assertAllowed`; the state is then as it was. */
  enter(event: Event): void {
    this.#state = nextState(this.#state, event);
    this.#onChange();
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }

  /** Resolves once `condition` holds, which is looked at after each transition; to false when `signal` came first. */
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
