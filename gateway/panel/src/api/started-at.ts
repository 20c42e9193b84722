import type { Instance, Schemas } from './transport/client.ts';

/** What two reads of one start may differ by: the uptime is in whole seconds, and is some time on its way. Milliseconds. */
const SAME_START_MS = 2_000;

/**
 * Returns the servers with `startedAt` in place of `uptimeSeconds`. `before`: the servers that were read before. A start that is about the
 * same stays exactly the same, so that a server that has not changed is equal.
 */
export function withStarts(
  instances: readonly Schemas['Instance'][],
  { before = [], now }: { before?: readonly Instance[] | undefined; now: number },
): Instance[] {
  const starts = new Map(before.map(({ id, startedAt }) => [id, startedAt]));
  return instances.map(({ uptimeSeconds, ...instance }) => {
    if (uptimeSeconds === undefined) return instance;
    const startedAt = now - uptimeSeconds * 1_000;
    const known = starts.get(instance.id);
    const isSame = known !== undefined && Math.abs(startedAt - known) <= SAME_START_MS;
    return { ...instance, startedAt: isSame ? known : startedAt };
  });
}
