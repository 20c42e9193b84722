import t from 'tap';
import { createCommandHistory } from '../../../../../gateway/panel/src/console/command-line/command-history.ts';

/** As much of the browser's storage as a history needs. */
function storage(stored: Record<string, string> = {}): Storage {
  const items = new Map(Object.entries(stored));
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  } as Storage;
}

t.test('back goes to older commands, forward returns to the line being typed', (t) => {
  const history = createCommandHistory('demo', storage());
  t.equal(history.back(), undefined);
  for (const command of ['list', 'say hi', 'stop']) history.add(command);
  t.same([history.back(), history.back(), history.back(), history.back()], ['stop', 'say hi', 'list', 'list']);
  t.same([history.forward(), history.forward(), history.forward()], ['say hi', 'stop', undefined]);
  history.back();
  history.add('help');
  t.equal(history.back(), 'help', 'a new command resets the position');
  t.end();
});

t.test('a repeated command is kept once, as the newest', (t) => {
  const history = createCommandHistory('demo', storage());
  for (const command of ['list', 'stop', 'list']) history.add(command);
  t.same([history.back(), history.back(), history.back()], ['list', 'stop', 'stop']);
  t.end();
});

t.test('suggests the newest command that starts the same', (t) => {
  const history = createCommandHistory('demo', storage());
  for (const command of ['say one', 'say two', 'list']) history.add(command);
  t.equal(history.suggest('say'), 'say two');
  t.equal(history.suggest('say o'), 'say one');
  t.equal(history.suggest('list'), undefined, 'does not suggest the typed command itself');
  t.end();
});

t.test('each server has its own history of up to 200 commands, which survives a reload', (t) => {
  const shared = storage();
  const first = createCommandHistory('demo', shared);
  for (let number = 1; number <= 201; number++) first.add(`say ${number}`);
  const reloaded = createCommandHistory('demo', shared);
  t.equal(reloaded.back(), 'say 201');
  for (let step = 0; step < 300; step++) reloaded.back();
  t.equal(reloaded.forward(), 'say 3', 'the oldest was dropped');
  t.equal(createCommandHistory('other', shared).back(), undefined);
  t.end();
});

t.test('recognises the echo of a command, with and without a prompt', (t) => {
  const history = createCommandHistory('demo', storage({ 'gamekeeper.history.demo': '["list", "#reload", ">"]' }));
  history.add('say hi ');
  for (const line of ['say hi', '> say hi', '>say hi ', '$ list', '#reload', '> #reload'])
    t.ok(history.isEcho(line), line);
  for (const line of ['', '>', '> ', 'say', 'say hi!', 'list of players', '[12:00:00 INFO]: say hi'])
    t.notOk(history.isEcho(line), line);
  t.end();
});

t.test('starts empty if the storage holds anything else', (t) => {
  for (const stored of ['{', '"list"', '{"a": 1}'])
    t.equal(createCommandHistory('demo', storage({ 'gamekeeper.history.demo': stored })).back(), undefined, stored);
  t.equal(createCommandHistory('demo', storage({ 'gamekeeper.history.demo': '[1, "list"]' })).back(), 'list');
  t.end();
});
