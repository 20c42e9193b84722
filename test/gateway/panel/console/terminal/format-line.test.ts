import t from 'tap';
import { formatLine } from '../../../../../gateway/panel/src/console/terminal/format-line.ts';

const GREY = '\x1b[90m';
const DEFAULT = '\x1b[39m';
const RED = '\x1b[31m';
const AMBER = '\x1b[33m';

t.test('the time at the start of a line is grey, in every format', (t) => {
  for (const time of ['[12:34:56]', '12:34:56', '[2026-11-20 12:34:56]', '[12:34:56.789]'])
    t.equal(formatLine(`${time} hello`, 'info'), `${GREY}${time}${DEFAULT} hello`, time);
  t.equal(formatLine('hello at 12:34:56', 'info'), 'hello at 12:34:56', 'only a time at the start is dimmed');
  t.end();
});

t.test("the line's colour continues after the time", (t) => {
  t.equal(formatLine('\x1b[33m[12:34:56] hello', 'info'), `\x1b[33m${GREY}[12:34:56]${DEFAULT}\x1b[33m hello`);
  t.end();
});

t.test('a warning is amber and an error red', (t) => {
  t.equal(formatLine('[12:34:56] slow', 'warning'), `${AMBER}${GREY}[12:34:56]${DEFAULT}${AMBER} slow`);
  t.equal(formatLine('Caused by: x', 'error'), `${RED}Caused by: x`);
  t.equal(formatLine('\x1b[mslow\x1b[0m', 'warning'), `${AMBER}slow`, 'a reset is no colour');
  t.end();
});

t.test('a line with colours of its own keeps them, whatever its level', (t) => {
  for (const text of ['\x1b[32mfine\x1b[m', 'an \x1b[1mERROR', '\x1b[0;31mred', '\x1b[38;2;1;2;3mred'])
    t.equal(formatLine(text, 'error'), text, JSON.stringify(text));
  t.end();
});
