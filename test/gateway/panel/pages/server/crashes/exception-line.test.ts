import t from 'tap';
import { exceptionLine } from '../../../../../../gateway/panel/src/pages/server/crashes/exception-line.ts';

t.test('a stack trace begins at its exception, not at a cause', async (t) => {
  const lines = [
    '[12:00:00] [main/INFO]: Loading',
    'java.io.IOException: an earlier one',
    '\tat a.B.c(B.java:1)',
    '[12:00:01] [main/ERROR]: Failed to start the minecraft server',
    'java.lang.IllegalStateException: Unable to read the folder',
    '\tat net.minecraft.server.Main.main(Main.java:178) ~[server.jar:?]',
    '\tat java.base/java.lang.Thread.run(Thread.java:1583)',
    'Caused by: java.io.IOException: locked',
    '\tat x.Y.<init>(Y.java:1)',
    '\t... 3 more',
    '[12:00:02] [main/INFO]: Closing',
  ];
  t.equal(exceptionLine(lines), 4);
});

t.test('frames may have the prefix of the log', async (t) => {
  const prefix = '[12:00:01] [Server thread/WARN]: ';
  const lines = ['Loading', `${prefix}java.lang.NullPointerException: null`, `${prefix}\tat a.B.c(B.java:1)`];
  t.equal(exceptionLine(lines), 1);
});

t.test('without a stack trace, the last error counts', async (t) => {
  t.equal(exceptionLine(['[12:00:00 ERROR]: bad port', '[12:00:01 INFO]: Bye']), 0);
  t.equal(exceptionLine(['a', 'java.lang.OutOfMemoryError: Java heap space', 'b']), 1);
  t.equal(exceptionLine(['Traceback (most recent call last):', '  File "a.py", line 1']), 0);
});

t.test('output without an error has none', async (t) => {
  t.equal(exceptionLine(['Loading', 'No errors so far', 'Look at this (or not)']), undefined);
  t.equal(exceptionLine([]), undefined);
});

t.test('frames without an exception above them, which is too far up', async (t) => {
  t.equal(exceptionLine(['\tat a.B.c(B.java:1)', '\tat a.B.d(B.java:2)']), undefined);
});
