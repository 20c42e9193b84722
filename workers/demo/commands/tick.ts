import { TICK_MS } from '../game/tick-times.ts';
import type { Command } from './command.ts';

/** Vanilla's command since 1.20.3, without the subcommands that change something. */
export const tickCommand: Command = {
  name: 'tick',
  usages: ['tick query'],
  run: ({ game, source, line }) => {
    if (line.word(1) !== 'query') line.refuse(1, 'Incorrect argument for command');
    line.expectEnd(2);
    const times = game.tickTimes().toSorted((a, b) => a - b);
    const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
    const percentile = (share: number) => tenths(times[Math.floor(times.length * share)] ?? 0);
    source.succeed(mean > TICK_MS ? LAGGING : 'The game is running normally');
    source.succeed(
      `Target tick rate: ${tenths(1000 / TICK_MS)} per second.\nAverage time per tick: ${tenths(mean)}ms (Target: ${tenths(TICK_MS)}ms)`,
    );
    source.succeed(
      `Percentiles: P50: ${percentile(0.5)}ms P95: ${percentile(0.95)}ms P99: ${percentile(0.99)}ms, sample: ${times.length}`,
    );
  },
};

const LAGGING = "The game is running, but can't keep up with the target tick rate";

function tenths(value: number): string {
  return value.toFixed(1);
}
