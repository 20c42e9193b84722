import { setTimeout as delay } from 'node:timers/promises';
import { TunnelError } from '../../provider.ts';
import { defaultGateway } from './default-gateway.ts';
import { createPcpMapper } from './pcp.ts';
import { type Mapping, MappingRefused, type MappingWish, type PortMapper } from './port-mapper.ts';
import { createUpnpMapper } from './upnp.ts';

/** RFC 6886, section 3. */
const PCP_PORT = 5_351;
/** Not more often than this, whatever lifetime a router gives. Milliseconds. */
const SOONEST_RENEWAL_MS = 10_000;
/** At least this often: a router that was restarted has forgotten the port, however long its time was. Milliseconds. */
const LATEST_RENEWAL_MS = 120_000;
const MOST_FAILURES = 3;
const REMOVE_WITHIN_MS = 1_500;

/** A port that the router forwards, asked for again before its time is over. */
export interface KeptMapping extends Mapping {
  /** Resolves to the reason when it could not be kept. */
  readonly lost: Promise<string>;
  /** Takes it back. */
  close(): Promise<void>;
}

export interface KeepMappingOptions {
  /** The protocols that are tried, in this order. */
  routers?: () => Promise<PortMapper[]>;
  renewal?: { soonestMs: number; latestMs: number };
}

/** Has the router forward a port, by whichever protocol it speaks. Throws TunnelError with the reason. */
export async function keepMapping(
  wish: MappingWish,
  signal: AbortSignal,
  {
    routers = routersHere,
    renewal = { soonestMs: SOONEST_RENEWAL_MS, latestMs: LATEST_RENEWAL_MS },
  }: KeepMappingOptions = {},
): Promise<KeptMapping> {
  const { mapper, mapping } = await firstMapping(await routers(), wish, signal);
  const closing = new AbortController();
  const same = { ...wish, publicPort: mapping.publicPort };
  const lost = renew(mapper, { wish: same, first: mapping, renewal }, closing.signal);
  return {
    ...mapping,
    lost,
    async close() {
      closing.abort();
      // A renewal that is on its way would bring it back. If it cannot be removed, its time ends by itself.
      const removed = lost.then(() => mapper.unmap(wish, mapping.publicPort)).catch(() => undefined);
      await Promise.race([removed, delay(REMOVE_WITHIN_MS, undefined, { ref: false })]);
      mapper.close();
    },
  };
}

async function routersHere(): Promise<PortMapper[]> {
  const router = await defaultGateway();
  return [...(router === undefined ? [] : [createPcpMapper({ host: router, port: PCP_PORT })]), createUpnpMapper()];
}

/** Asks by all protocols, one after the other: a second mapping of the same port would have to be removed again. */
async function firstMapping(
  all: readonly PortMapper[],
  wish: MappingWish,
  signal: AbortSignal,
): Promise<{ mapper: PortMapper; mapping: Mapping }> {
  let refusal: MappingRefused | undefined;
  for (const mapper of all) {
    try {
      const mapping = await mapper.map(wish, signal);
      for (const other of all) if (other !== mapper) other.close();
      return { mapper, mapping };
    } catch (error) {
      if (error instanceof MappingRefused) refusal ??= error;
    }
  }
  for (const mapper of all) mapper.close();
  signal.throwIfAborted();
  throw new TunnelError(
    refusal
      ? `Your router ${refusal.message}.`
      : 'No router that forwards ports by itself was found. Turn on UPnP, NAT-PMP or PCP in its settings, or forward the port there yourself.',
  );
}

interface Renewal {
  wish: MappingWish;
  first: Mapping;
  renewal: { soonestMs: number; latestMs: number };
}

/** Resolves to the reason when the mapping is lost. */
async function renew(
  mapper: PortMapper,
  { wish, first, renewal: { soonestMs, latestMs } }: Renewal,
  signal: AbortSignal,
): Promise<string> {
  let { lifetimeMs } = first;
  for (let failures = 0; failures < MOST_FAILURES; ) {
    const due = Math.min(lifetimeMs / 2, latestMs);
    const wait = Math.max(soonestMs, failures === 0 ? due : due / 4);
    await delay(wait, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return '';
    try {
      const now = await mapper.map(wish, signal);
      if (now.publicPort !== first.publicPort || now.publicAddress !== first.publicAddress)
        return 'The router has another address or port now.';
      lifetimeMs = now.lifetimeMs;
      failures = 0;
    } catch {
      failures += 1;
    }
  }
  return 'The router does not forward the port any more.';
}
