import type uPlot from 'uplot';

/** From the labels to the line, CSS pixels. */
const GAP = 18;
/** So that charts below each other with short labels begin at the same place. CSS pixels. */
const LEAST = 56;

/** As wide as its longest label needs: in no language and on no scale is one cut off. */
export const axisSize: uPlot.Axis.Size = (chart, labels, axisIndex) => {
  const font = chart.axes[axisIndex]?.font?.[0];
  if (font !== undefined) chart.ctx.font = font;
  const widths = labels?.map((label) => chart.ctx.measureText(label).width / devicePixelRatio) ?? [];
  return Math.max(LEAST, Math.ceil(Math.max(0, ...widths)) + GAP);
};
