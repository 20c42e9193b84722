import t from 'tap';
import {
  conflictsOf,
  editsOfText,
  formerValues,
  realEdits,
  stillSaved,
  toLines,
} from '../../../../../../gateway/panel/src/pages/server/properties/edits.ts';
import {
  inputTypeOf,
  MASK,
  typedSecret,
} from '../../../../../../gateway/panel/src/pages/server/properties/property-input.ts';

t.test('an edit back to the present value is none', (t) => {
  t.same(realEdits({ motd: 'Hi', pvp: 'true', extra: '' }, { motd: 'Hi', pvp: 'false' }), { pvp: 'true', extra: '' });
  t.end();
});

t.test('the former values are known unless one is a secret', (t) => {
  const present = { motd: 'Hi', pvp: 'true', 'rcon.password': MASK };
  t.same(formerValues({ motd: 'Bye', pvp: 'false' }, present), { motd: 'Hi', pvp: 'true' });
  t.equal(formerValues({ motd: 'Bye', 'rcon.password': 'new' }, present), undefined);
  t.equal(formerValues({ extra: 'new' }, present), undefined, 'nor one that is not there');
  t.end();
});

t.test('what someone has changed since is not put back', (t) => {
  const saved = { motd: 'Mine', pvp: 'false' };
  t.same(stillSaved(saved, { motd: 'Theirs', pvp: 'false', gamemode: 'creative' }), ['pvp']);
  t.same(stillSaved(saved, {}), []);
  t.end();
});

t.test('a change by someone else to the same property is a conflict', (t) => {
  const seen = { motd: 'Old', pvp: 'true' };
  const latest = { motd: 'Theirs', pvp: 'true', gamemode: 'creative' };
  t.same(conflictsOf({ motd: 'Mine', pvp: 'false' }, { seen, latest }), [
    { key: 'motd', mine: 'Mine', theirs: 'Theirs' },
  ]);
  t.same(conflictsOf({ motd: 'Theirs' }, { seen, latest }), [], 'equal changes do not conflict');
  t.same(conflictsOf({ pvp: 'false' }, { seen, latest: {} }), [{ key: 'pvp', mine: 'false', theirs: '' }]);
  t.same(conflictsOf({ extra: '1' }, { seen, latest }), [], 'a property that only this user has set');
  t.end();
});

t.test('a text without changes has no edits, whatever characters its values have', (t) => {
  const shown = { motd: 'a\\b\nc=d', 'level-seed': '', spaces: ' x ' };
  t.equal(toLines(shown), 'motd=a\\\\b\\nc=d\nlevel-seed=\nspaces= x ');
  t.same(editsOfText(toLines(shown), { shown, edits: {} }), {});
  t.end();
});

t.test('only lines that differ from the shown text are edits', (t) => {
  const shown = { motd: 'Hi', pvp: 'true' };
  const text = '# a comment\nmotd=Hello\n pvp=true\nno equals sign\n! another=comment\nnew = 1';
  t.same(editsOfText(text, { shown, edits: {} }), { motd: 'Hello', new: ' 1' });
  t.same(editsOfText('motd=Hi', { shown, edits: {} }), {}, 'a removed line stays in the file');
  t.end();
});

t.test('earlier edits stay as long as their lines are there', (t) => {
  const shown = { motd: 'Edited', pvp: 'true' };
  const edits = { motd: 'Edited' };
  t.same(editsOfText('motd=Edited\npvp=true', { shown, edits }), { motd: 'Edited' });
  t.same(editsOfText('pvp=true', { shown, edits }), {});
  t.end();
});

t.test('a known property has the input of its type', (t) => {
  t.equal(inputTypeOf({ type: 'integer' }, '5'), 'integer');
  t.equal(inputTypeOf({ type: 'choice' }, 'easy'), 'choice');
  t.equal(inputTypeOf({ type: 'boolean' }, 'true'), 'boolean');
  t.equal(inputTypeOf({ type: 'boolean' }, 'maybe'), 'text', 'a value that a switch cannot show');
  t.end();
});

t.test('an unknown property is a switch if its value is one, else a text', (t) => {
  t.equal(inputTypeOf(undefined, 'false'), 'boolean');
  t.equal(inputTypeOf(undefined, 'False'), 'text');
  t.equal(inputTypeOf(undefined, '5'), 'text');
  t.end();
});

t.test('typing into a stored secret leaves nothing of its mask', (t) => {
  t.equal(typedSecret(MASK, `${MASK}n`), 'n');
  t.equal(typedSecret(MASK, `n${MASK}`), 'n');
  t.equal(typedSecret(MASK, ''), '');
  t.equal(typedSecret('ne', 'new'), 'new');
  t.end();
});
