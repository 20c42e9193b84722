/** Returns the SVG path of hills in steps, as a world of cubes has them. `heights`: of the columns, from left to right, in steps. */
export function hillsPath(heights: readonly number[], { step, ground }: { step: number; ground: number }): string {
  const tops = heights.map((height, index) => `${index === 0 ? 'V' : `H${index * step}V`}${ground - height * step}`);
  return `M0 ${ground}${tops.join('')}H${heights.length * step}V${ground}Z`;
}
