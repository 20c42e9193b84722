import type { FileAttributes } from '../../../shared/contract/file-handles.ts';
import { bytesOf } from '../../../shared/node/files/file-name.ts';
import type { FileKind } from '../../../shared/schema/files.ts';

const HALF_A_YEAR_MS = 183 * 24 * 60 * 60 * 1_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const KINDS = {
  file: { letter: '-', bits: 0o100000 },
  folder: { letter: 'd', bits: 0o040000 },
  link: { letter: 'l', bits: 0o120000 },
  other: { letter: '?', bits: 0o010000 },
} as const satisfies Record<FileKind, unknown>;

/** Returns the bits of a mode that tell the kind. Sockets and devices are shown as pipes: clients leave all of these alone. */
export function typeBits(kind: FileKind): number {
  return KINDS[kind].bits;
}

/** Returns a line as of `ls -l`, which many clients show, in UTC. `now` in milliseconds since the epoch. */
export function longName(name: string, attributes: FileAttributes, now: number): Buffer {
  const { kind, mode, uid, gid, sizeBytes, modifiedAt } = attributes;
  const rights = Array.from('rwxrwxrwx', (letter, index) => ((mode >> (8 - index)) & 1 ? letter : '-')).join('');
  const owner = `${String(uid).padEnd(8)} ${String(gid).padEnd(8)}`;
  const line = `${KINDS[kind].letter}${rights}    1 ${owner} ${String(sizeBytes).padStart(12)} ${dateOf(modifiedAt, now)} `;
  return Buffer.concat([Buffer.from(line), Buffer.from(bytesOf(name))]);
}

function dateOf(seconds: number, now: number): string {
  const date = new Date(seconds * 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${MONTHS[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)}`;
  const isRecent = Math.abs(now - date.getTime()) < HALF_A_YEAR_MS;
  return `${day} ${isRecent ? `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}` : ` ${date.getUTCFullYear()}`}`;
}
