import t from 'tap';
import { formatLine } from '../../../../../gateway/panel/src/console/terminal/format-line.ts';
import type { KeptLine } from '../../../../../gateway/panel/src/console/terminal/kept-lines.ts';

const GREY = '\x1b[90m';
const DEFAULT = '\x1b[39m';
const RED = '\x1b[31m';
const AMBER = '\x1b[33m';

function format(text: string, level: KeptLine['level']): string {
  return formatLine({ seq: 1, text, level, kind: 'output' });
}

t.test('the time at the start of a line is grey, in every format', (t) => {
  for (const time of ['[12:34:56]', '12:34:56', '[2026-11-20 12:34:56]', '[12:34:56.789]'])
    t.equal(format(`${time} hello`, 'info'), `${GREY}${time}${DEFAULT} hello`, time);
  t.equal(format('hello at 12:34:56', 'info'), 'hello at 12:34:56', 'only a time at the start is dimmed');
  t.end();
});

t.test("the line's colour continues after the time", (t) => {
  t.equal(format('\x1b[33m[12:34:56] hello', 'info'), `\x1b[33m${GREY}[12:34:56]${DEFAULT}\x1b[33m hello`);
  t.end();
});

t.test('a warning is amber and an error red', (t) => {
  t.equal(format('[12:34:56] slow', 'warning'), `${AMBER}${GREY}[12:34:56]${DEFAULT}${AMBER} slow`);
  t.equal(format('Caused by: x', 'error'), `${RED}Caused by: x`);
  t.equal(format('\x1b[mslow\x1b[0m', 'warning'), `${AMBER}slow`, 'a reset is no colour');
  t.end();
});

t.test('a line with colours of its own keeps them, whatever its level', (t) => {
  for (const text of ['\x1b[32mfine\x1b[m', 'an \x1b[1mERROR', '\x1b[0;31mred', '\x1b[38;2;1;2;3mred'])
    t.equal(format(text, 'error'), text, JSON.stringify(text));
  t.end();
});

t.test('a command has the accent colour instead of the colours of its prompt', (t) => {
  t.equal(
    formatLine({ seq: 1, text: '\x1b[m> say 12:34:56', level: 'info', kind: 'command' }),
    '\x1b[1;94m> say 12:34:56',
  );
  t.end();
});
