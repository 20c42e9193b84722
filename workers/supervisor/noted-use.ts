import type { SupervisorService } from '../../shared/contract/supervisor.ts';

/** What the daemon and scrapers do all the time, and what therefore shows no need. */
const WATCHING: ReadonlySet<string> = new Set(['watch', 'stats'] satisfies (keyof SupervisorService)[]);

/** What of the idle exit this needs. */
interface Use {
  touch(): void;
  /** Somebody looks on until the returned function is called. */
  enter(): () => void;
}

/** The same service, with every call but these noted as a use of this process, and the live console as one for as long as it lasts. */
export function withNotedUse(service: SupervisorService, use: Use): SupervisorService {
  return new Proxy(service, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function' || typeof name !== 'string' || WATCHING.has(name)) return method;
      if (name === 'console') return (signal: AbortSignal) => viewed(target.console(signal), use);
      return (...args: unknown[]) => {
        use.touch();
        return Reflect.apply(method, target, args);
      };
    },
  });
}

async function* viewed(batches: AsyncIterable<Uint8Array>, use: Use): AsyncGenerator<Uint8Array> {
  const leave = use.enter();
  try {
    yield* batches;
  } finally {
    leave();
  }
}
