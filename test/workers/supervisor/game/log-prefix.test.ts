import t from 'tap';
import { isSpeech, logPrefixOf, parseLogLine } from '../../../../workers/supervisor/game/log-prefix.ts';

/** The log prefixes in the test data of aternosorg/codex-minecraft, and those of two servers outside that family. */
const SHAPES = {
  'vanilla up to 1.6': '2019-02-16 00:25:29 [INFO] ',
  'vanilla, Spigot, Fabric': '[12:00:00] [Server thread/INFO]: ',
  Paper: '[12:00:00 INFO]: ',
  'Forge 1.12': '[12:00:00] [Server thread/INFO] [net.minecraft.server.dedicated.DedicatedServer]: ',
  NeoForge: '[29Oct2024 17:00:48.337] [Server thread/INFO] [net.minecraft.server.dedicated.DedicatedServer/]: ',
  'Fabric loom': '[11:47:11] [Server thread/INFO] (Minecraft) ',
  Velocity: '[12:00:00] [main/INFO] [com.velocitypowered.proxy.Velocity]: ',
  'Velocity with two spaces': '[12:00:00] [main/INFO]  [com.velocitypowered.proxy.Velocity]: ',
  BungeeCord: '14:24:22 [INFO] ',
  Waterfall: '[12:00:00] [Netty Worker IO Thread #1/INFO]: ',
  Geyser: '[15:15:18.581 main/INFO] ',
  Cuberite: '[08:18:01] ',
  'flying-squid': 'November 20th 2026, 07:48:21 [INFO]: ',
};

t.test('the prefix of every known kind of server is removed', async (t) => {
  for (const [name, prefix] of Object.entries(SHAPES)) {
    const text = `${prefix}Done (1.430s)! For help, type "help"`;
    t.strictSame(parseLogLine(text), { text, message: 'Done (1.430s)! For help, type "help"', prefixed: true }, name);
  }
});

t.test('a prefix after the rest of a prompt is found', async (t) => {
  t.match(parseLogLine('> \r[12:00:00 INFO]: Done\r'), { message: 'Done', prefixed: true });
});

t.test('a line without a prefix is the message', async (t) => {
  const line = '\tat net.minecraft.server.Main.main(Main.java:12)';
  t.match(parseLogLine(line), { message: line.trim(), prefixed: false });
});

t.test('a prefix inside a message is part of the message', async (t) => {
  for (const prefix of Object.values(SHAPES)) {
    const said = `<Eve> ${prefix}Saved the game`;
    t.equal(parseLogLine(`[12:00:00] [Server thread/INFO]: ${said}`).message, said);
    t.strictSame(parseLogLine(said).prefixed, false);
  }
});

t.test('the prefix of a kind replaces the known ones, and is cut only at the beginning of a line', async (t) => {
  const own = logPrefixOf({ logPrefix: 'srv \\d+\\| |boot: ' });
  t.match(parseLogLine('srv 12| Server is up', own), { message: 'Server is up', prefixed: true });
  t.match(parseLogLine('boot: Server is up', own), { message: 'Server is up', prefixed: true });
  t.match(parseLogLine('Eve: srv 12| Server is up', own), { message: 'Eve: srv 12| Server is up', prefixed: false });
  const minecraft = '[12:00:00 INFO]: Server is up';
  t.match(parseLogLine(minecraft, own), { message: minecraft, prefixed: false });
});

t.test('chat is distinguished from server messages', async (t) => {
  t.ok(isSpeech('<Eve> Done (1s)!'));
  t.ok(isSpeech('[Not Secure] <Eve> Done (1s)!'));
  t.notOk(isSpeech('Done (1s)!'));
  t.notOk(isSpeech('[Rcon: Saved the game]'));
});
