import t from 'tap';
import { commandWord } from '../../../gateway/audit/command-word.ts';

t.test('only the name of a command is recorded, never its arguments or a possible password', (t) => {
  const words: [string, string | undefined][] = [
    ['op Alice', 'op'],
    ['/op Alice', 'op'],
    ['  /OP Alice', 'OP'],
    ['minecraft:give @a stone', 'minecraft:give'],
    ['save-all', 'save-all'],
    ['STOP', 'STOP'],
    ['stop  ', 'stop'],
    ['/login hunter2', 'login'],
    ['/changepassword old new', 'changepassword'],
    ['hunter2', undefined],
    ['hunter2 ', undefined],
    ['correct-horse', undefined],
    ['pa$$word here', undefined],
    ['1234 5678', undefined],
    [`${'x'.repeat(33)} y`, undefined],
    ['', undefined],
    ['/', undefined],
    ['<script> x', undefined],
  ];
  for (const [line, word] of words) t.equal(commandWord(line), word, JSON.stringify(line));
  t.end();
});
