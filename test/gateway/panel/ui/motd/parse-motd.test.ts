import t from 'tap';
import { MOTD_COLORS, parseMotd } from '../../../../../gateway/panel/src/ui/motd/parse-motd.ts';

t.test('a plain text is one piece, and an empty one is none', (t) => {
  t.same(parseMotd('A Minecraft Server'), [[{ text: 'A Minecraft Server' }]]);
  t.same(parseMotd(''), [[]]);
  t.end();
});

t.test('styles add up, a colour ends them, and §r ends both', (t) => {
  t.same(parseMotd('§6§lGold §nlined§cred§r plain'), [
    [
      { text: 'Gold ', color: MOTD_COLORS[6], bold: true },
      { text: 'lined', color: MOTD_COLORS[6], bold: true, underlined: true },
      { text: 'red', color: MOTD_COLORS.c },
      { text: ' plain' },
    ],
  ]);
  t.end();
});

t.test('capitals count, unknown codes and a last § are dropped, colours may be six digits', (t) => {
  t.same(parseMotd('§Ared§zx§'), [
    [
      { text: 'red', color: MOTD_COLORS.a },
      { text: 'x', color: MOTD_COLORS.a },
    ],
  ]);
  t.same(parseMotd('§x§1§2§a§b§c§dhi'), [[{ text: 'hi', color: '#12abcd' }]]);
  t.end();
});

t.test('the game shows two lines, whether the break is real or written as \\n', (t) => {
  t.same(parseMotd('one\ntwo\nthree'), [[{ text: 'one' }], [{ text: 'two' }]]);
  t.same(parseMotd('one\\ntwo'), [[{ text: 'one' }], [{ text: 'two' }]]);
  t.end();
});
