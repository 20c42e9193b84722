import type uPlot from 'uplot';

/** In CSS pixels: the height of a sign, and the least distance of two. */
const SIGN_SIZE = 12;
const LINE_DASH = [2, 3];

/** What is drawn behind and above the line of every chart. Times in seconds since the epoch. */
export interface Overlay {
  gaps: readonly { from: number; to: number; label: string }[];
  /** Ascending. */
  marks: readonly { at: number; sign: string; isBad: boolean }[];
}

export interface OverlayColours {
  ink: string;
  grid: string;
  bad: string;
}

/** Shades gaps and draws a line for each mark. `overlay` is read at each drawing. */
export function overlayPlugin(overlay: () => Overlay, colours: OverlayColours): uPlot.Plugin {
  return {
    hooks: {
      drawClear: (chart) => clipped(chart, () => drawGaps(chart, overlay().gaps, colours)),
      draw: (chart) => clipped(chart, () => drawMarks(chart, overlay().marks, colours)),
    },
  };
}

function clipped({ ctx, axes, bbox: { left, top, width, height } }: uPlot, draw: () => void): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.font = axes[0]?.font?.[0] ?? ctx.font;
  ctx.textAlign = 'center';
  draw();
  ctx.restore();
}

function drawGaps(chart: uPlot, gaps: Overlay['gaps'], { ink, grid }: OverlayColours): void {
  const { ctx, bbox } = chart;
  ctx.textBaseline = 'middle';
  for (const { from, to, label } of gaps) {
    const left = Math.max(bbox.left, chart.valToPos(from, 'x', true));
    const right = Math.min(bbox.left + bbox.width, chart.valToPos(to, 'x', true));
    if (right <= left) continue;
    ctx.fillStyle = `${grid}80`;
    ctx.fillRect(left, bbox.top, right - left, bbox.height);
    ctx.fillStyle = ink;
    if (ctx.measureText(label).width < right - left)
      ctx.fillText(label, (left + right) / 2, bbox.top + bbox.height / 2);
  }
}

/** A sign that would cover the one before it is left out. */
function drawMarks(chart: uPlot, marks: Overlay['marks'], { ink, bad }: OverlayColours): void {
  const { ctx, bbox } = chart;
  ctx.textBaseline = 'top';
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash(LINE_DASH.map((length) => length * devicePixelRatio));
  let lastSign = Number.NEGATIVE_INFINITY;
  for (const { at, sign, isBad } of marks) {
    const x = Math.round(chart.valToPos(at, 'x', true));
    ctx.strokeStyle = isBad ? bad : ink;
    ctx.fillStyle = ctx.strokeStyle;
    const hasRoom = x - lastSign >= SIGN_SIZE * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top + (hasRoom ? SIGN_SIZE * devicePixelRatio : 0));
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (!hasRoom) continue;
    ctx.fillText(sign, x, bbox.top);
    lastSign = x;
  }
}
