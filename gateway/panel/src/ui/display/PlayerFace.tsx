import { useMemo, useState } from 'react';
import { FACE_SIZE, faceOf } from './player-face.ts';

/** Width of a skin, and the height of all but those before Minecraft 1.8. Pixels. */
const SKIN_SIZE = 64;

export interface PlayerFaceProps {
  name: string;
  /** Address of the player's skin. Without it, or until it is there, the face is made up from the name. */
  skin?: string | undefined;
  size?: number;
}

export function PlayerFace({ name, skin, size = 28 }: PlayerFaceProps) {
  return (
    <span className="player-face" style={{ width: size, height: size }}>
      <MadeUpFace name={name} />
      {skin !== undefined && <SkinFace key={skin} skin={skin} size={size} />}
    </span>
  );
}

function MadeUpFace({ name }: { name: string }) {
  const { skin, hair, dots } = useMemo(() => faceOf(name), [name]);
  return (
    <svg
      aria-hidden="true"
      width="100%"
      height="100%"
      viewBox={`0 0 ${FACE_SIZE} ${FACE_SIZE}`}
      shapeRendering="crispEdges"
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

/** The face at 8, 8 of a skin, and the hat at 40, 8 above it (minecraft.wiki, "Skin"). */
function SkinFace({ skin, size }: { skin: string; size: number }) {
  const [height, setHeight] = useState(0);
  const part = (column: number) => ({
    src: skin,
    loading: 'lazy' as const,
    style: { width: (SKIN_SIZE / FACE_SIZE) * size, left: -column * size, top: -size },
  });
  return (
    <>
      <img alt="" {...part(1)} onLoad={({ currentTarget }) => setHeight(currentTarget.naturalHeight)} />
      {/* Before Minecraft 1.8 the hat could be a filled square, which the game does not show. */}
      {height === SKIN_SIZE && <img alt="" {...part(5)} />}
    </>
  );
}
