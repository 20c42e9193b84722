import type { SupervisorService } from '../../../shared/contract/supervisor.ts';

export const IDLE_EXIT_MS = 5 * 60_000;

/** Routine calls of the daemon and of metrics scrapers, which do not count as use. */
const BACKGROUND_CALLS: ReadonlySet<string> = new Set([
  'watch',
  'stats',
  'handOver',
] satisfies (keyof SupervisorService)[]);

export interface IdleExitOptions {
  afterMs: number;
  /** True while the process must stay even if nobody calls it. */
  isNeeded: () => boolean;
  onIdle: () => void;
}

/** Calls `onIdle` once this process has not been used for some time. */
export class IdleExit {
  readonly #options: IdleExitOptions;
  #viewers = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleExitOptions) {
    this.#options = options;
    this.touch();
  }

  touch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#viewers > 0 || this.#options.isNeeded()) this.touch();
      else this.#options.onIdle();
    }, this.#options.afterMs);
    this.#timer.unref();
  }

  /** Adds a viewer, who keeps the process alive until the returned function is called. */
  enter(): () => void {
    this.#viewers += 1;
    return () => {
      this.#viewers -= 1;
      this.touch();
    };
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** Returns the same service; every call counts as use, and a live console counts until its stream ends. */
export function countingUse(service: SupervisorService, idle: Pick<IdleExit, 'touch' | 'enter'>): SupervisorService {
  return new Proxy(service, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function' || typeof name !== 'string' || BACKGROUND_CALLS.has(name)) return method;
      if (name === 'console') return (signal: AbortSignal) => countingViewer(target.console(signal), idle);
      return (...args: unknown[]) => {
        idle.touch();
        return Reflect.apply(method, target, args);
      };
    },
  });
}

async function* countingViewer(
  batches: AsyncIterable<Uint8Array>,
  idle: Pick<IdleExit, 'enter'>,
): AsyncGenerator<Uint8Array> {
  const leave = idle.enter();
  try {
    yield* batches;
  } finally {
    leave();
  }
}
