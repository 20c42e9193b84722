import type { Layers } from './voxels.ts';

const GROUND = ['.ddd.', 'ddddd', 'ddddd', 'ddddd', '.ddd.'];
const GRASS = ['ggggg', 'ggggg', 'ggggg', 'ggggg', 'ggggg'];
const AIR = '.....';

/** The pictures of empty pages: small islands with what the page is about. */
export const PICTURES = {
  keep: [
    GROUND,
    GRASS,
    [AIR, '.sss.', '.sss.', '.sys.', AIR],
    [AIR, '.sss.', '.sss.', '.sss.', AIR],
    [AIR, '.sss.', '.sss.', '.sss.', AIR],
    [AIR, '.s.s.', AIR, '.s.s.', AIR],
  ],
  chest: [GROUND, GRASS, [AIR, '.ww..', '.www.', '.wyw.', AIR], [AIR, '.ww..', '.www.', '.www.', AIR]],
  players: [
    GROUND,
    GRASS,
    ['..l..', '..a..', AIR, '...r.', AIR],
    ['.....', '..a..', AIR, '...r.', AIR],
    [AIR, '..h..', AIR, '...h.'],
  ],
  tree: [
    GROUND,
    GRASS,
    [AIR, AIR, '..w..', AIR, '...r.'],
    [AIR, AIR, '..w..', AIR, AIR],
    [AIR, '.lll.', '.lll.', '.lll.', AIR],
    [AIR, '..l..', '.lll.', '..l..', AIR],
  ],
  lantern: [
    GROUND,
    GRASS,
    [AIR, '.s...', AIR, '...l.', AIR],
    [AIR, '.w...', AIR, AIR, AIR],
    [AIR, '.w...', AIR, AIR, AIR],
    [AIR, '.y...', AIR, AIR, AIR],
  ],
  columns: [
    GROUND,
    GRASS,
    ['a....', '.a...', '..a..', '...a.', '....a'],
    ['.....', '.a...', '..a..', AIR, '....a'],
    [AIR, AIR, '..a..', AIR, '....a'],
    [AIR, AIR, AIR, AIR, '....a'],
  ],
  shelf: [
    GROUND,
    GRASS,
    ['.www.', '.ray.', AIR, AIR, AIR],
    ['.www.', '.yar.', AIR, AIR, AIR],
    ['.www.', '.www.', AIR, AIR, AIR],
  ],
  box: [GROUND, GRASS, [AIR, '.www.', '.wdw.', '.www.', AIR], [AIR, '.www.', '.w.w.', '.www.', AIR]],
  screen: [
    GROUND,
    GRASS,
    [AIR, AIR, '.sss.', AIR, AIR],
    [AIR, AIR, 'saaas', AIR, AIR],
    [AIR, AIR, 'saaas', AIR, AIR],
    [AIR, AIR, 'sssss', AIR, AIR],
  ],
  gap: [
    ['.d...', 'dd...', 'd...d', '...dd', '...d.'],
    ['gg...', 'ggg..', 'gg..g', '...gg', '..ggg'],
    ['.l...', AIR, AIR, AIR, '....y'],
  ],
} as const satisfies Record<string, Layers>;

export type PictureName = keyof typeof PICTURES;
