import { type Html, html } from '../../../../shared/node/html.ts';
import type { FleetHistory, HistoryPoint } from '../history.ts';

const WIDTH = 1_000;
const HEIGHT = 100;

export interface ChartOptions {
  history: FleetHistory;
  title: string;
  value: (point: HistoryPoint) => number;
  show: (value: number) => string;
}

/** Draws a line without script. Gaps in the reports are gaps in the line. */
export function chart({ history, title, value, show }: ChartOptions): Html {
  const { points, stepSeconds } = history;
  const [from, to] = [Date.parse(history.from), Date.parse(history.to)];
  const values = points.map(value);
  const most = Math.max(...values, 0);
  const lines: string[][] = [];
  let lastAt = Number.NEGATIVE_INFINITY;
  for (const [index, point] of points.entries()) {
    const at = Date.parse(point.at);
    if (at - lastAt > 2 * stepSeconds * 1000) lines.push([]);
    lastAt = at;
    const x = (WIDTH * Math.max(0, at - from)) / (to - from);
    const y = HEIGHT - (most === 0 ? 0 : (HEIGHT - 4) * (values[index]! / most)) - 2;
    lines.at(-1)!.push(`${x.toFixed(1)},${y.toFixed(1)}`);
  }
  const text = points.length === 0 ? 'nothing reported' : `at most ${show(most)}, last ${show(values.at(-1)!)}`;
  return html`<h3>${title} <span class="dim">${text}</span></h3><svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${title}: ${text}">${lines.map((line) => html`<polyline points="${line.join(' ')}"/>`)}</svg>`;
}
