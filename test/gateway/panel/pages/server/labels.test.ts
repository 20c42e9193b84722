import t from 'tap';
import {
  addressToShare,
  lanHosts,
  playerCount,
  serverAddress,
} from '../../../../../gateway/panel/src/pages/server/labels.ts';

t.test("the address has the port unless it is Minecraft's default", (t) => {
  t.equal(serverAddress({ port: 25_565 }, 'play.example'), 'play.example');
  t.equal(serverAddress({ port: 25_566 }, 'play.example'), 'play.example:25566');
  t.end();
});

t.test('the player count has the limit once it is known', (t) => {
  t.equal(playerCount({ playersOnline: 3, maxPlayers: 20 }), '3/20');
  t.equal(playerCount({ playersOnline: 3 }), '3');
  t.equal(playerCount({ maxPlayers: 20 }), '0/20');
  t.end();
});

t.test('the address of this page comes first among those of the local networks', async (t) => {
  const session = { lanAddresses: ['10.0.0.2', '192.168.1.5'] };
  t.same(lanHosts(session, '192.168.1.5'), ['192.168.1.5', '10.0.0.2']);
  t.same(lanHosts(session, 'panel.example.net'), ['10.0.0.2', '192.168.1.5']);
  t.same(lanHosts({}, '127.0.0.1'), []);
});

t.test('the address to share is the public one while it works', async (t) => {
  t.equal(addressToShare({ port: 25_566, publicAddress: 'play.example:7' }, {}), 'play.example:7');
});
