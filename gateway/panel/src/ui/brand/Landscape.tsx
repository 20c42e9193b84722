import { hillsPath } from './hills.ts';

const STEP = 40;
const COLUMNS = 24;
const GROUND = 600;
const WIDTH = COLUMNS * STEP;

/** Heights of the columns, in steps, drawn from the back to the front. */
const FAR = [4, 4, 5, 6, 7, 7, 6, 5, 5, 4, 4, 5, 6, 6, 7, 8, 8, 7, 6, 6, 5, 4, 4, 5];
const MIDDLE = [3, 3, 2, 2, 3, 4, 4, 5, 5, 4, 4, 3, 3, 3, 4, 4, 3, 3, 4, 5, 5, 4, 3, 3];
const NEAR = [2, 2, 2, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 2, 2, 1, 1, 1, 1, 2, 2, 3, 3, 2];

/** On the crest of the nearest hill. */
const KEEP = { left: 10 * STEP, top: GROUND - 3 * STEP };
/** Not behind the words in the corner. */
const STARS = [40, 60, 150, 30, 250, 110, 330, 150, 560, 40, 640, 120, 760, 150, 900, 90, 60, 190, 690, 30, 820, 230];

/** Hills at night, or by day in the light scheme, with a keep whose windows are lit. Decoration only. */
export function Landscape() {
  const hills = (heights: readonly number[]) => hillsPath(heights, { step: STEP, ground: GROUND });
  const { left, top } = KEEP;
  return (
    <svg
      className="landscape"
      viewBox={`0 0 ${WIDTH} ${GROUND}`}
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      <g className="landscape-stars">
        {STARS.map((x, index) =>
          index % 2 === 0 ? <rect key={x} x={x} y={STARS[index + 1]} width={4} height={4} /> : null,
        )}
      </g>
      <rect className="landscape-light" x={16.5 * STEP} y={3.5 * STEP} width={2 * STEP} height={2 * STEP} />
      <path className="landscape-far" d={hills(FAR)} />
      <path className="landscape-middle" d={hills(MIDDLE)} />
      <path className="landscape-keep" d={`M${left} ${top}v-120h-10v-50h20v20h20v-20h20v20h20v-20h20v50h-10v120Z`} />
      <g className="landscape-windows">
        <rect x={left + 18} y={top - 96} width={12} height={18} />
        <rect x={left + 50} y={top - 96} width={12} height={18} />
        <rect x={left + 30} y={top - 36} width={20} height={36} />
      </g>
      <path className="landscape-near" d={hills(NEAR)} />
    </svg>
  );
}
