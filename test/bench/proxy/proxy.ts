/**
 * The hosted proxy: what it adds to a request (P1), what thousands of links cost it (P2), how they return after its death (P3), and what
 * sign-ins and reports cost (P4; docs/proxy/large.md).
 */
import type { BenchRow } from '../row.ts';
import { addedLatency } from './added-latency.ts';
import { manyLinks } from './many-links.ts';
import { startRealProxy } from './real-proxy.ts';
import { reports } from './reports.ts';
import { signIns } from './sign-ins.ts';

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const proxy = await startRealProxy(cleanup);
  return [
    ...(await addedLatency(cleanup, proxy)),
    ...(await manyLinks(cleanup, proxy)),
    ...(await signIns(proxy)),
    ...(await reports(cleanup)),
  ];
}
