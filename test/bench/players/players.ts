/** Players through the hosted proxy: what their bytes cost it (T1), and how much later they arrive (T2). */
import type { BenchRow } from '../row.ts';
import { addedLatency } from './added-latency.ts';
import { startRelayedGame } from './relayed-game.ts';
import { throughput } from './throughput.ts';

const GIB = 2 ** 30;

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const game = await startRelayedGame(cleanup, GIB);
  return [await throughput(cleanup, game, GIB), await addedLatency(game)];
}
