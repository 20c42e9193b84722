import t from 'tap';
import { serverName, serverNameOf } from '../../../../../gateway/panel/src/ui/display/server-name.ts';

t.test('only a server with a namesake has its id with its name', (t) => {
  t.equal(serverName({ id: 'demo', name: 'Demo' }), 'Demo');
  t.equal(serverName({ id: 'demo-2', name: 'Demo', isNamesake: true }), 'Demo (demo-2)');
  t.end();
});

t.test('a server that is gone has its id', (t) => {
  const instances = [{ id: 'demo', name: 'Demo', isNamesake: true as const }];
  t.equal(serverNameOf('demo', instances), 'Demo (demo)');
  t.equal(serverNameOf('gone', instances), 'gone');
  t.equal(serverNameOf('demo', undefined), 'demo', 'before the list is known');
  t.end();
});
