import { setTimeout as delay } from 'node:timers/promises';
import type { FrpProxyStatus } from './frp-status.ts';

const LOOK_EVERY_MS = 5_000;
/** A busy computer misses one or two. */
const MOST_UNANSWERED = 3;

export interface FrpLookout {
  /** Resolves to the proxy as frpc shows it. Rejects if frpc does not answer. */
  look: () => Promise<FrpProxyStatus | undefined>;
  everyMs?: number;
}

/** Resolves to the reason when frpc has ended, says that its proxy does not run any more, or did not answer three times in a row. */
export async function untilFrpLost(
  ended: Promise<string>,
  { look, everyMs = LOOK_EVERY_MS }: FrpLookout,
): Promise<string> {
  const stopping = new AbortController();
  const end = ended.then((how) => {
    stopping.abort();
    return `frpc ended (${how}).`;
  });
  const { signal } = stopping;
  for (let unanswered = 0; unanswered < MOST_UNANSWERED; ) {
    await delay(everyMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return end;
    try {
      const proxy = await look();
      if (!signal.aborted && proxy?.status !== 'running') return 'The connection to frps was lost.';
      unanswered = 0;
    } catch {
      unanswered += 1;
    }
  }
  return signal.aborted ? end : 'frpc does not answer any more.';
}
