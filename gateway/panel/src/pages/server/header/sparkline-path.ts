export const WIDTH = 48;
export const HEIGHT = 18;

/**
 * Returns the SVG path of a sparkline. `values`: oldest first, evenly spaced; `null` breaks the line. `minMax`: the value at the top
 * of the line, unless there is a larger one.
 */
export function sparklinePath(values: readonly (number | null)[], minMax: number): string {
  const max = Math.max(minMax, ...values.map((value) => value ?? 0));
  const x = (index: number) => (index / Math.max(1, values.length - 1)) * WIDTH;
  const y = (value: number) => HEIGHT - 1 - (value / max) * (HEIGHT - 2);
  return values
    .map((value, index) => {
      if (value === null) return '';
      const starts = index === 0 || values[index - 1] === null;
      return `${starts ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join('');
}
