import t from 'tap';
import { adviseOnJava } from '../../../../workers/supervisor/crash/wrong-java.ts';
import { LineFeed } from '../../../../workers/supervisor/game/line-feed.ts';

t.test('advice about the Java version is shown once', async (t) => {
  const lines = new LineFeed();
  const notices: string[] = [];
  adviseOnJava(lines, (text) => notices.push(text));
  const print = (line: string) => lines.push(Buffer.from(`${line}\r\n`));
  print('[12:00:00 INFO]: <Eve> UnsupportedClassVersionError (class file version 65.0)');
  print('[12:00:00 INFO]: Done (3.1s)! For help, type "help"');
  t.same(notices, [], 'chat cannot trigger it');
  const complaint =
    'org.bukkit.plugin.InvalidPluginException: java.lang.UnsupportedClassVersionError: x/Y has been compiled by a more recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0';
  print(complaint);
  print(complaint);
  t.same(notices, ["This needs Java 21 or newer. Set the instance's javaVersion to 21."]);
});
