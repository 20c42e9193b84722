import { PICTURES, type PictureName } from './pictures.ts';
import { MATERIALS, type Voxel, voxelsOf } from './voxels.ts';

/** Half the width of a cube, half the height of its top, and the height of its sides. Units of the drawing. */
const HALF_WIDTH = 14;
const HALF_DEPTH = 7;
const SIDE = 14;
/** An island has five by five cubes, and at most six layers. */
const VIEW = `${-5 * HALF_WIDTH} ${-5 * SIDE} ${10 * HALF_WIDTH} ${5 * SIDE + 10 * HALF_DEPTH + SIDE}`;

/** A small drawing of cubes, decoration only. */
export function Picture({ name, width = 168 }: { name: PictureName; width?: number }) {
  return (
    <svg width={width} viewBox={VIEW} aria-hidden="true" className="picture">
      {voxelsOf(PICTURES[name]).map((voxel) => (
        <Cube key={`${voxel.x} ${voxel.y} ${voxel.z}`} {...voxel} />
      ))}
    </svg>
  );
}

function Cube({ x, y, z, material }: Voxel) {
  const [top, left, right] = MATERIALS[material];
  const centre = (x - y) * HALF_WIDTH;
  const back = (x + y) * HALF_DEPTH - z * SIDE;
  const side = (to: -1 | 1) =>
    `M${centre} ${back + 2 * HALF_DEPTH}l${to * HALF_WIDTH} ${-HALF_DEPTH}v${SIDE}l${-to * HALF_WIDTH} ${HALF_DEPTH}Z`;
  return (
    <>
      <path
        d={`M${centre} ${back}l${HALF_WIDTH} ${HALF_DEPTH}l${-HALF_WIDTH} ${HALF_DEPTH}l${-HALF_WIDTH} ${-HALF_DEPTH}Z`}
        fill={top}
      />
      <path d={side(-1)} fill={left} />
      <path d={side(1)} fill={right} />
    </>
  );
}
