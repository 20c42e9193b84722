import { type Colour, png } from './png.ts';

/** Pixels of an icon per letter, in both directions. */
const SCALE = 8;

/** By the letter in the drawings. */
const COLOURS: Record<string, Colour> = {
  g: [95, 159, 53, 255],
  G: [121, 192, 90, 255],
  b: [134, 96, 67, 255],
  B: [111, 78, 55, 255],
  s: [90, 169, 230, 255],
  y: [255, 210, 63, 255],
  r: [200, 68, 60, 255],
  w: [222, 184, 135, 255],
  n: [38, 36, 64, 255],
  p: [240, 120, 150, 255],
};

const DRAWINGS = {
  grass: ['gGgGGgGg', 'GgGgGgGg', 'gGbgGbGg', 'bbBbgbBb', 'bBbbBbbb', 'bbbBbbBb', 'BbbbbbbB', 'bbBbbBbb'],
  house: ['ssssssyy', 'sssrrsyy', 'ssrrrrss', 'srrrrrrs', 'swwwwwws', 'swbwssws', 'swbwwwws', 'gGgGgGGg'],
  heart: ['nnnnnnnn', 'nrrnnrrn', 'rprrrrrr', 'rrrrrrrr', 'nrrrrrrn', 'nnrrrrnn', 'nnnrrnnn', 'nnnnnnnn'],
};

/** Returns an icon as Minecraft wants it, a PNG of 64 by 64 pixels. */
export function serverIcon(name: keyof typeof DRAWINGS): Buffer {
  const rows = DRAWINGS[name];
  const colourAt = (x: number, y: number) => COLOURS[rows[Math.floor(y / SCALE)]![Math.floor(x / SCALE)]!]!;
  return png({ width: 8 * SCALE, height: 8 * SCALE, colourAt });
}
