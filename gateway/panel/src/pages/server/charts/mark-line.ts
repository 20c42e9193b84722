import type uPlot from 'uplot';

/** Lengths of a dash and of the gap behind it, CSS pixels. */
const DASH = [5, 4];

/** A dashed line across a chart at one value. */
export function markLine(value: number, colour: string): uPlot.Plugin {
  return {
    hooks: {
      draw({ ctx, bbox: { left, width }, valToPos }) {
        const y = Math.round(valToPos(value, 'y', true));
        ctx.save();
        ctx.strokeStyle = colour;
        ctx.lineWidth = devicePixelRatio;
        ctx.setLineDash(DASH.map((length) => length * devicePixelRatio));
        ctx.beginPath();
        ctx.moveTo(left, y);
        ctx.lineTo(left + width, y);
        ctx.stroke();
        ctx.restore();
      },
    },
  };
}
