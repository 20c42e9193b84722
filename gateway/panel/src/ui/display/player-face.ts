export const FACE_SIZE = 8;
const SKINS = ['#f6d3b3', '#eec39a', '#dba877', '#c68b5c', '#a06b43', '#7b4f31', '#5a3a25'];
const HAIRS = ['#2b211b', '#4a3222', '#6e4a2c', '#94602f', '#b8893f', '#8c3b22', '#3c4658', '#6b6f76'];

export interface PlayerFace {
  skin: string;
  hair: string;
  /** Pixels in the colour of the hair. */
  dots: [x: number, y: number][];
}

/** Derives a symmetrical face of 8 by 8 pixels from a name (FNV-1a), so that no skin server is asked. */
export function faceOf(name: string): PlayerFace {
  let seed = 2_166_136_261;
  for (const character of name) seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  const dots: PlayerFace['dots'] = [];
  for (let x = 0; x < FACE_SIZE / 2; x++) {
    const fringe = 2 + ((seed >>> (x * 3)) & 1) + (x === 0 ? 1 + ((seed >>> 17) & 1) : 0);
    for (let y = 0; y < fringe; y++) dots.push([x, y], [FACE_SIZE - 1 - x, y]);
  }
  const beard = (seed >>> 21) % 3 === 0;
  if (beard) for (let x = 2; x < 6; x++) dots.push([x, 7]);
  return { skin: SKINS[seed % SKINS.length] ?? '', hair: HAIRS[(seed >>> 8) % HAIRS.length] ?? '', dots };
}
