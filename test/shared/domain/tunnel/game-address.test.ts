import t from 'tap';
import { formatGameAddress, parseGameAddress } from '../../../../shared/domain/tunnel/game-address.ts';

t.test('an address is what players type', async (t) => {
  for (const [text, address] of [
    ['play.example.net', { host: 'play.example.net' }],
    ['play.example.net:25570', { host: 'play.example.net', port: 25_570 }],
    ['play.example.net.', { host: 'play.example.net' }],
    ['localhost', { host: 'localhost' }],
    ['my_server.example.net:1', { host: 'my_server.example.net', port: 1 }],
    ['203.0.113.7:65535', { host: '203.0.113.7', port: 65_535 }],
    ['2001:db8::7', { host: '2001:db8::7' }],
    ['[2001:db8::7]:25565', { host: '2001:db8::7', port: 25_565 }],
  ] as const)
    t.same(parseGameAddress(text), address, text);
});

t.test('anything else is none', async (t) => {
  for (const text of [
    ...['', ' ', 'a b', '-a', 'a-', 'a:0', 'a:65536', 'a:', 'a:-1', 'a:1.5', ':25565', 'a/b', 'user@host'],
    ...['http://play.example.net', '[2001:db8::7', 'a\nb', 'a\u200bb', `${'a'.repeat(254)}`],
  ])
    t.equal(parseGameAddress(text), undefined, JSON.stringify(text));
});

t.test('the default port is not shown', async (t) => {
  t.equal(formatGameAddress({ host: 'a.example', port: 25_565 }, 25_565), 'a.example');
  t.equal(formatGameAddress({ host: 'a.example', port: 25_566 }, 25_565), 'a.example:25566');
  t.equal(formatGameAddress({ host: '2001:db8::7', port: 25_566 }), '[2001:db8::7]:25566');
  t.equal(formatGameAddress({ host: 'a.example' }), 'a.example');
});
