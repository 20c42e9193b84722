import type { SupervisorService } from '../../../shared/contract/supervisor.ts';

/** Long enough for the garbage of a start to be collectable and for the game to have the CPU to itself first. */
const SETTLE_MS = 5_000;

/**
 * Returns memory to the system some time after each change of phase. A supervisor mostly waits for weeks, and V8 keeps what a burst made
 * it take. One thorough collection takes about 20 ms and frees 3 MiB, a fifth of the process. Does nothing without `--expose-gc`.
 */
export async function trimMemoryAfterChanges(service: Pick<SupervisorService, 'watch'>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let last: string | undefined;
  for await (const { phase } of service.watch(new AbortController().signal)) {
    if (phase === last) continue;
    last = phase;
    clearTimeout(timer);
    timer = setTimeout(() => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }), SETTLE_MS);
    timer.unref();
  }
}
