import { type Colour, png } from '../../../support/browser/png.ts';

const NOTHING: Colour = [0, 0, 0, 0];

export interface SkinParts {
  width?: number;
  height?: number;
  face?: Colour;
  hat?: Colour;
}

/** Returns a skin whose face and hat have one colour each (minecraft.wiki, "Skin"). */
export function skinPng({ width = 64, height = 64, face = NOTHING, hat = NOTHING }: SkinParts = {}): Buffer {
  const colourAt = (x: number, y: number) => {
    if (y < 8 || y >= 16) return NOTHING;
    return x >= 8 && x < 16 ? face : x >= 40 && x < 48 ? hat : NOTHING;
  };
  return png({ width, height, colourAt });
}
