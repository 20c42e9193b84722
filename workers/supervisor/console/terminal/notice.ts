const ESC = 0x1b;
const SPACE = 0x20;
const TAB = 0x09;
const OPEN = 0x5b;
const M = 0x6d;
const UPPER_TO_LOWER = 0x20;
const FIRST_BEYOND_ASCII = 0x80;
/** Blanks, and characters that are drawn as nothing, such as U+00A0, U+034F and U+FE0F. */
const UNSEEN = /^[\p{Zs}\p{Default_Ignorable_Code_Point}]/u;
const LONGEST_CHARACTER = 4;

/** Put before a line of a game that looks like a notice. */
const FROM_GAME = Buffer.from('[game] ');

const NAME = Buffer.from('gamekeeper]');

/**
 * Returns whether the line at `start` begins like a notice: with the prefix in any case, maybe after blanks, maybe in colours, maybe with
 * characters that cannot be seen. Most lines of a game are decided by their second character.
 */
export function isForgedNotice(block: Buffer, start: number): boolean {
  let at = afterUnseen(block, start);
  while (block[at] === SPACE || block[at] === TAB) {
    at = afterUnseen(block, at + 1);
  }
  if (block[at] !== OPEN) {
    return false;
  }
  for (const letter of NAME) {
    at = afterUnseen(block, at + 1);
    if (block[at] !== letter && block[at]! + UPPER_TO_LOWER !== letter) {
      return false;
    }
  }
  return true;
}

/** Returns a clean line of a game so that it is not mistaken for a notice. */
export function withoutForgery(line: Buffer): Buffer {
  return isForgedNotice(line, 0) ? Buffer.concat([FROM_GAME, line]) : line;
}

/** Returns the index after the SGR sequences and unseen characters beyond ASCII at `start`. */
function afterUnseen(block: Buffer, start: number): number {
  let at = afterColours(block, start);
  while (block[at]! >= FIRST_BEYOND_ASCII) {
    const [character = ''] = block.toString('utf8', at, at + LONGEST_CHARACTER);
    if (!UNSEEN.test(character)) return at;
    at = afterColours(block, at + Buffer.byteLength(character));
  }
  return at;
}

/** Returns the index after the SGR sequences at `start`. */
function afterColours(block: Buffer, start: number): number {
  let at = start;
  while (block[at] === ESC) {
    let end = at + 2;
    while (block[end]! >= 0x30 && block[end]! <= 0x3b) {
      end++;
    }
    if (block[end] !== M) {
      return at;
    }
    at = end + 1;
  }
  return at;
}
