import t from 'tap';
import { toCommand, toCommandText } from '../../../../../../gateway/panel/src/ui/form/program/command-text.ts';

t.test('white space separates arguments, except in quotes', (t) => {
  const samples: [string, string[]][] = [
    ['', []],
    ['  java  -jar\nserver.jar ', ['java', '-jar', 'server.jar']],
    ['"C:\\My Games\\server.exe" --dir C:\\world', ['C:\\My Games\\server.exe', '--dir', 'C:\\world']],
    [`--name='The "Old" Castle'`, ['--name=The "Old" Castle']],
    [`a '' "" b`, ['a', '', '', 'b']],
    [`it"'"s`, ["it's"]],
  ];
  for (const [text, command] of samples) t.same(toCommand(text), command, text);
  for (const text of ['"', `a 'b`, `"it's`]) t.equal(toCommand(text), undefined, `${text} is not closed`);
  t.end();
});

t.test('every command can be written and read again', (t) => {
  const commands = [
    ['java', '-jar', 'server.jar'],
    ['./my server', ''],
    ['"', "'", `'"`, `""''`, `say "it's" \\`, 'two\nlines', '\t'],
    [],
  ];
  for (const command of commands) t.same(toCommand(toCommandText(command)), command, toCommandText(command));
  t.equal(toCommandText(['java', 'my server.jar', `it's`]), `java "my server.jar" "it's"`);
  t.end();
});
