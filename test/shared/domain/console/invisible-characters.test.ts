import t from 'tap';
import {
  isInvisible,
  PRINTABLE_LINE,
  showInvisible,
  showUnprintable,
} from '../../../../shared/domain/console/invisible-characters.ts';

const LAST_CODE_POINT = 0x10ffff;
/** They make an emoji of a symbol, as in ❤️. */
const EMOJI_SELECTORS = /[\ufe00-\ufe0f]/;

t.test('every character that Unicode calls ignorable is invisible, except for those of emoji', async (t) => {
  const wrong: string[] = [];
  for (let code = 0; code <= LAST_CODE_POINT; code++) {
    const character = String.fromCodePoint(code);
    const isIgnorable = /\p{Default_Ignorable_Code_Point}/u.test(character) && !EMOJI_SELECTORS.test(character);
    if (isIgnorable && !isInvisible(code)) wrong.push(code.toString(16));
  }
  t.same(wrong, []);
});

t.test('what separates lines or changes the direction of text is invisible as well', async (t) => {
  for (const character of '\u2028\u2029\u202a\u202e\u2066\u2069\ufff9') t.ok(isInvisible(character.codePointAt(0)!));
  for (const character of 'aé中한ㅏ─👨\u3000\u2800\ufe0f') t.notOk(isInvisible(character.codePointAt(0)!), character);
});

t.test('invisible characters are shown by their number', async (t) => {
  t.equal(showInvisible('a\u3164b\u115f\u{e0100}'), 'a<U+3164>b<U+115F><U+E0100>');
  t.equal(showInvisible('a\u0007'), 'a\u0007', 'a console handles control characters');
  t.equal(showUnprintable('a\u0007\t\n'), 'a<U+0007>\t\n');
});

t.test('a printable line has nothing that hides', async (t) => {
  for (const text of ['Anna’s server', '한국어', 'Сервер', '❤️', '']) t.match(text, PRINTABLE_LINE);
  for (const text of ['a\nb', '\u3164', 'a\u034f', '\u2800', '\u202e', '\u{1d173}'])
    t.notMatch(text, PRINTABLE_LINE, JSON.stringify(text));
});
