import { createHash, randomFillSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const REGION_BYTES = 8 * 1024 * 1024;
const TEXT_FILE_BYTES = 4 * 1024 * 1024;

/** Writes region files. A real server compresses their chunks, so random bytes represent them. */
export function writeRegions(folder: string, bytes: number): void {
  mkdirSync(folder, { recursive: true });
  const region = Buffer.alloc(REGION_BYTES);
  for (let n = 0; n < bytes / REGION_BYTES; n++)
    writeFileSync(path.join(folder, `r.${n % 16}.${Math.floor(n / 16)}.mca`), randomFillSync(region));
}

/** Writes files that deflate well: logs, JSON and NBT in equal parts, the same in every run. */
export function writeTexts(folder: string, bytes: number): void {
  mkdirSync(folder, { recursive: true });
  const random = numbers(20_261_120);
  const makers = [logText, jsonText, nbtLike];
  for (let n = 0; n < bytes / TEXT_FILE_BYTES; n++) {
    const kind = n % makers.length;
    const extension = ['log', 'json', 'dat'][kind]!;
    writeFileSync(path.join(folder, `file-${n}.${extension}`), makers[kind]!(random));
  }
}

type Numbers = () => number;

/** Lehmer's generator (Park and Miller, CACM 31:10). */
function numbers(seed: number): Numbers {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const WORDS =
  'the server world chunk player block stone entity minecraft level data spawn position rotation health food slot count tag ore'.split(
    ' ',
  );

function word(random: Numbers): string {
  return WORDS[Math.floor(random() * WORDS.length)]!;
}

function logText(random: Numbers): Buffer {
  const two = (limit: number) => String(Math.floor(random() * limit)).padStart(2, '0');
  return filled(
    () =>
      `[${two(24)}:${two(60)}:${two(60)}] [Server thread/INFO]: ${word(random)} ${word(random)} ${Math.floor(random() * 1e5)} ${word(random)}\n`,
  );
}

function jsonText(random: Numbers): Buffer {
  return filled(
    () =>
      `${JSON.stringify({
        uuid: createHash('md5').update(String(random())).digest('hex'),
        name: word(random) + Math.floor(random() * 1e4),
        pos: [random() * 1000, random() * 256, random() * 1000],
        stats: { [word(random)]: Math.floor(random() * 1e6) },
      })},\n`,
  );
}

function nbtLike(random: Numbers): Buffer {
  const file = Buffer.alloc(TEXT_FILE_BYTES);
  for (let at = 0; at < file.length; at += 64) {
    file.writeUInt8(10, at);
    file.write(word(random), at + 3);
    file.writeDoubleBE(random() * 1000, at + 20);
    file.writeInt32BE(Math.floor(random() * 1000), at + 30);
    file.write(word(random), at + 40);
  }
  return file;
}

function filled(line: () => string): Buffer {
  const lines: string[] = [];
  for (let bytes = 0; bytes < TEXT_FILE_BYTES; bytes += lines.at(-1)!.length) lines.push(line());
  return Buffer.from(lines.join('')).subarray(0, TEXT_FILE_BYTES);
}
