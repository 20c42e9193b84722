import { setTimeout as sleep } from 'node:timers/promises';
import type { JobsService } from '../../../shared/contract/jobs.ts';
import { backOffDelay } from '../../../shared/domain/back-off.ts';
import { isAccount } from '../../../shared/domain/players/account.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Logger } from '../../../shared/node/logger.ts';
import { createRateLimit } from '../../../shared/node/rate-limit.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import { fetchSkin, type Skin } from './fetch-skin.ts';
import type { KnownSkin, SkinCache } from './skin-cache.ts';

/** Mojang allows an address 600 requests in ten minutes (minecraft.wiki, "Mojang API"). These are 340; game servers need the others. */
const PACE = { requestsPerSecond: 0.5, burst: 40 };
const ANSWER_WITHIN_MS = 10_000;
/** How long Mojang is not asked after failures. */
const BACK_OFF = { firstMs: 60_000, maxMs: 3_600_000 };
/** Accounts that wait, of all servers. Further ones are added when somebody asks again. */
const MOST_WAITING = 10_000;
/** Answers between two writes of the index. */
const SAVE_EVERY = 20;

const HOUR_MS = 3_600_000;
/** How long an answer is used. A player whose skin failed is tried again after the others. */
const FRESH_MS = { skin: 72 * HOUR_MS, none: 24 * HOUR_MS, failed: HOUR_MS / 6 };

export interface SkinsOptions {
  cache: SkinCache;
  settings: () => Promise<Pick<Settings, 'players' | 'vendors'>>;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** On the monotonic clock. Milliseconds. */
  ticks: () => number;
  log: Pick<Logger, 'warn'>;
  /** Ends requests. */
  signal: AbortSignal;
}

export interface Skins {
  calls: Pick<JobsService, 'skins' | 'skin'>;
  /** Ends requests to Mojang and removes all skins, as the setting that allows them is off. */
  clear(): Promise<void>;
}

/** Fetches the skins of players from Mojang, one after the other in the background: nobody waits for an answer of Mojang. */
export function createSkins({ cache, settings, now, ticks, log, signal }: SkinsOptions): Skins {
  const pace = createRateLimit(() => PACE);
  const wanted = new Set<string>();
  let cleared = new AbortController();
  let isWorking = false;
  let failures = 0;
  let pausedUntil = 0;

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    const ended = AbortSignal.any([signal, cleared.signal]);
    try {
      let answers = 0;
      for (const uuid of wanted) {
        if (ticks() < pausedUntil || ended.aborted) break;
        await ask(uuid, ended);
        wanted.delete(uuid);
        if (++answers % SAVE_EVERY === 0) await cache.save();
      }
      if (answers > 0 && !ended.aborted) await cache.save();
    } catch (error) {
      if (!ended.aborted) pauseAfter(error); // such as a full disk
    } finally {
      // Whoever still wants them asks again.
      wanted.clear();
      isWorking = false;
    }
  }

  async function ask(uuid: string, ended: AbortSignal): Promise<void> {
    for (let waitSeconds = 1; waitSeconds > 0; ) {
      waitSeconds = pace.take('mojang', ticks());
      if (waitSeconds > 0) await sleep(waitSeconds * 1_000, undefined, { signal: ended });
    }
    const { players, vendors } = await settings();
    if (!players.skins) return;
    const answer = await attempt(() => fetchSkin(uuid, { vendors, answerWithinMs: ANSWER_WITHIN_MS, signal: ended }));
    ended.throwIfAborted();
    if (answer.failure === undefined) failures = 0;
    else pauseAfter(answer.failure);
    await cache.put(uuid, knownFrom(answer, cache.find(uuid), now()), answer.skin);
  }

  function pauseAfter(failure: unknown): void {
    failures++;
    pausedUntil = ticks() + Math.max(backOffDelay(BACK_OFF, failures, Math.random()), askedWaitOf(failure));
    log.warn({ err: failure }, 'could not fetch the skins of players');
  }

  function isDue(uuid: string): boolean {
    const known = cache.find(uuid);
    if (known === undefined) return true;
    const dueInMs = known.askAgainAt - now();
    return dueInMs <= 0 || dueInMs > FRESH_MS.skin; // the clock was ahead when the answer came
  }

  return {
    calls: {
      async skins(uuids) {
        if (!(await settings()).players.skins) return { found: [], pending: false };
        const accounts = uuids.filter(isAccount).map((uuid) => uuid.toLowerCase());
        const due = ticks() < pausedUntil ? [] : accounts.filter(isDue);
        for (const uuid of due) if (wanted.size < MOST_WAITING) wanted.add(uuid);
        void work();
        const found = accounts.flatMap((uuid) => {
          const texture = cache.find(uuid)?.texture;
          return texture === undefined ? [] : [{ uuid, texture }];
        });
        return { found, pending: due.length > 0 };
      },
      skin: async (texture) => ((await settings()).players.skins ? cache.read(texture) : null),
    },
    async clear() {
      cleared.abort();
      cleared = new AbortController();
      await cache.clear();
    },
  };
}

/** Returns how long Mojang asks to wait, at most as long as we ever do. Milliseconds. */
function askedWaitOf(failure: unknown): number {
  const seconds = failure instanceof GamekeeperError ? (failure.retryAfterSeconds ?? 0) : 0;
  return Math.min(BACK_OFF.maxMs, seconds * 1_000);
}

interface Answer {
  skin?: Skin | undefined;
  failure?: unknown;
}

async function attempt(request: () => Promise<Skin | undefined>): Promise<Answer> {
  try {
    return { skin: await request() };
  } catch (failure) {
    return { failure };
  }
}

/** A skin that cannot be fetched again is still shown. */
function knownFrom({ skin, failure }: Answer, before: KnownSkin | undefined, now: number): KnownSkin {
  if (failure !== undefined) return { ...before, askAgainAt: now + FRESH_MS.failed };
  return skin ? { texture: skin.texture, askAgainAt: now + FRESH_MS.skin } : { askAgainAt: now + FRESH_MS.none };
}
