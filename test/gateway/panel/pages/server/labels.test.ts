import t from 'tap';
import { playerCount, serverAddress } from '../../../../../gateway/panel/src/pages/server/labels.ts';

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
