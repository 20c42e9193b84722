import t from 'tap';
import { isInvisible } from '../../../../../shared/domain/console/invisible-characters.ts';
import { countCleanLines, DIRTY } from '../../../../../workers/supervisor/console/terminal/clean-lines.ts';

/** The planes with invisible characters, and what lies beside them. */
const PLANES = [
  [0x80, 0x1ffff],
  [0xdf000, 0xe2000],
  [0x10f000, 0x10ffff],
] as const;
const LAST_C1 = 0x9f;

t.test('a character beyond ASCII makes a line unclean if it is invisible or a C1 control, and only then', async (t) => {
  const wrong: string[] = [];
  for (const [first, last] of PLANES)
    for (let code = first; code <= last; code++) {
      const character = String.fromCodePoint(code);
      if (!character.isWellFormed()) continue;
      const expected = code <= LAST_C1 || isInvisible(code) ? DIRTY : 1;
      if (countCleanLines(Buffer.from(`a${character}b\r\n`), 100) !== expected) wrong.push(code.toString(16));
    }
  t.same(wrong, []);
});
