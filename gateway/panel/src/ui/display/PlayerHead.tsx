import { useMemo } from 'react';

const SIZE = 8;
const SKINS = ['#f6d3b3', '#eec39a', '#dba877', '#c68b5c', '#a06b43', '#7b4f31', '#5a3a25'];
const HAIRS = ['#2b211b', '#4a3222', '#6e4a2c', '#94602f', '#b8893f', '#8c3b22', '#3c4658', '#6b6f76'];

/** A face of 8 by 8 dots made from a name alone: nobody is asked what the player really looks like. */
export function PlayerHead({ name, size = 28 }: { name: string; size?: number }) {
  const { skin, hair, dots } = useMemo(() => faceOf(name), [name]);
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      shapeRendering="crispEdges"
      aria-hidden="true"
      style={{ borderRadius: 3, flexShrink: 0 }}
    >
      <rect width={SIZE} height={SIZE} fill={skin} />
      {dots.map(([x, y]) => (
        <rect key={`${x} ${y}`} x={x} y={y} width={1} height={1} fill={hair} />
      ))}
      <rect x={1} y={4} width={2} height={1} fill="#fff" />
      <rect x={5} y={4} width={2} height={1} fill="#fff" />
      <rect x={2} y={4} width={1} height={1} fill="#2b2b2b" />
      <rect x={5} y={4} width={1} height={1} fill="#2b2b2b" />
    </svg>
  );
}

function faceOf(name: string): { skin: string; hair: string; dots: [number, number][] } {
  let seed = 2_166_136_261;
  for (const character of name) seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  const dots: [number, number][] = [];
  // Hair is a cap whose fringe hangs as the name says; both halves of a face are alike.
  for (let x = 0; x < SIZE / 2; x++) {
    const fringe = 2 + ((seed >>> (x * 3)) & 1) + (x === 0 ? 1 + ((seed >>> 17) & 1) : 0);
    for (let y = 0; y < fringe; y++) dots.push([x, y], [SIZE - 1 - x, y]);
  }
  const beard = (seed >>> 21) % 3 === 0;
  if (beard) for (let x = 2; x < 6; x++) dots.push([x, 7]);
  return { skin: SKINS[seed % SKINS.length] ?? '', hair: HAIRS[(seed >>> 8) % HAIRS.length] ?? '', dots };
}
