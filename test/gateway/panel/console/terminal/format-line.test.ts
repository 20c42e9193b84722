import t from 'tap';
import { dimTime, isWarning } from '../../../../../gateway/panel/src/console/terminal/format-line.ts';

const GREY = '\x1b[90m';
const DEFAULT = '\x1b[39m';

t.test('the time at the start of a line is grey, in every format', (t) => {
  for (const time of ['[12:34:56]', '12:34:56', '[2026-11-20 12:34:56]', '[12:34:56.789]'])
    t.equal(dimTime(`${time} hello`), `${GREY}${time}${DEFAULT} hello`, time);
  t.equal(dimTime('hello at 12:34:56'), 'hello at 12:34:56', 'only a time at the start is dimmed');
  t.end();
});

t.test("the line's colour continues after the time", (t) => {
  t.equal(dimTime('\x1b[33m[12:34:56] hello'), `\x1b[33m${GREY}[12:34:56]${DEFAULT}\x1b[33m hello`);
  t.end();
});

t.test('recognises warnings and errors, also with colours in between', (t) => {
  for (const text of [
    '[12:00:00 WARN]: slow',
    '[main/ERROR]: x',
    'SEVERE: x',
    'java.lang.Exception: x',
    'caused by Exception',
    'Caused by: java.lang.NullPointerException: x',
    'java.lang.OutOfMemoryError: Java heap space',
    '\x1b[31mFA\x1b[0mTAL',
  ])
    t.ok(isWarning(text), text);
  for (const text of ['[INFO]: Warned nobody', 'ERRORS', 'an exceptional day', 'Exceptional', 'No Errors'])
    t.notOk(isWarning(text), text);
  t.end();
});
