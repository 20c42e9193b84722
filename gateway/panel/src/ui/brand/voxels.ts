/** A cube of a picture: its place in the grid, and what it is made of. */
export interface Voxel {
  x: number;
  y: number;
  z: number;
  material: Material;
}

/** The colours of the three visible faces. */
export type Faces = readonly [top: string, left: string, right: string];

export const MATERIALS = {
  g: ['#86c166', '#6a4a32', '#82603f'],
  d: ['#82603f', '#5d4029', '#73523a'],
  s: ['#b9bec9', '#7b8292', '#979eae'],
  w: ['#c79a63', '#8a6238', '#a87a49'],
  l: ['#7fbf73', '#4c8a4c', '#63a45d'],
  a: ['#93a9ff', '#3c52cc', '#5a75f0'],
  y: ['#ffe28a', '#e0a31f', '#f5c445'],
  r: ['#ff9b85', '#bf4a37', '#e06650'],
  h: ['#f3d0ab', '#c8976b', '#deb184'],
} as const satisfies Record<string, Faces>;

export type Material = keyof typeof MATERIALS;

/** Layers from the ground up; each row runs from the back to the front, with a dot for air. */
export type Layers = readonly (readonly string[])[];

/** Returns the cubes in the order in which they are drawn: whatever covers another comes later. */
export function voxelsOf(layers: Layers): Voxel[] {
  const voxels = layers.flatMap((rows, z) =>
    rows.flatMap((row, y) =>
      [...row].flatMap((material, x) => (material in MATERIALS ? [{ x, y, z, material: material as Material }] : [])),
    ),
  );
  return voxels.sort((one, other) => one.x + one.y + one.z - (other.x + other.y + other.z));
}
