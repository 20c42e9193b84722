import path from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';

/** Deflating these again costs eight times the CPU and gains nothing. `.mca`, `.mcr`, `.mcc`: Minecraft's regions. */
const COMPRESSED = new Set(
  (
    '.mca .mcr .mcc .linear .jar .mrpack .mcworld .mcpack .zip .gz .tgz .xz .bz2 .zst .lz4 .7z .rar .br ' +
    '.png .jpg .jpeg .gif .webp .ogg .mp3 .flac .mp4 .webm .schem .schematic .litematic .woff2'
  ).split(' '),
);
/** Smaller content is always deflated: sampling it would cost as much. */
const MIN_SAMPLED_BYTES = 4 * 1024;
const SAMPLE_BYTES = 8 * 1024;
/** A smaller gain is not worth the CPU of deflating and inflating. */
const WORTHWHILE_RATIO = 0.9;

/**
 * Returns true if deflating a file is worthwhile: it has no compressed format, and samples of its beginning, middle and end shrink. `read`
 * returns up to `length` bytes at `position`.
 */
export function worthDeflating(
  file: { name: string; size: number },
  read: (position: number, length: number) => Buffer,
): boolean {
  if (file.size === 0 || COMPRESSED.has(path.posix.extname(file.name).toLowerCase())) return false;
  if (file.size < MIN_SAMPLED_BYTES) return true;
  const last = Math.max(0, file.size - SAMPLE_BYTES);
  const positions = last === 0 ? [0] : [0, Math.floor(last / 2), last];
  const sample = Buffer.concat(positions.map((position) => read(position, SAMPLE_BYTES)));
  return deflateRawSync(sample, { level: constants.Z_BEST_SPEED }).length < sample.length * WORTHWHILE_RATIO;
}
