import { useMemo } from 'react';
import { FACE_SIZE, faceOf } from './player-face.ts';

export function PlayerFace({ name, size = 28 }: { name: string; size?: number }) {
  const { skin, hair, dots } = useMemo(() => faceOf(name), [name]);
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${FACE_SIZE} ${FACE_SIZE}`}
      shapeRendering="crispEdges"
      aria-hidden="true"
      style={{ borderRadius: 3, flexShrink: 0 }}
    >
      <rect width={FACE_SIZE} height={FACE_SIZE} fill={skin} />
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
