import t from 'tap';
import { iconLetters } from '../../../../../gateway/panel/src/ui/display/icon-letters.ts';

t.test('letters come from the first two words, whatever the script', (t) => {
  const letters = (name: string) => iconLetters({ id: 'x', name }).letters;
  t.equal(letters('Survival'), 'S');
  t.equal(letters('modded  SMP (2026)'), 'MS');
  t.equal(letters('生存 世界'), '生世');
  t.equal(letters('e\u0301tang'), 'É', 'a letter with its accent');
  t.equal(letters('\u1112\u1161\u11ab 서버'), '한서', 'a syllable of several characters');
  t.equal(letters('𝔖ky'), '𝔖', 'beyond 16 bits');
  t.equal(letters('★'), 'X', 'without any letter, the id speaks');
  t.end();
});

t.test('a server keeps its colour when it is renamed', (t) => {
  t.equal(iconLetters({ id: 'smp', name: 'One' }).color, iconLetters({ id: 'smp', name: 'Two' }).color);
  t.match(iconLetters({ id: 'a', name: 'A' }).color, /^#[0-9a-f]{6}$/);
  t.end();
});
