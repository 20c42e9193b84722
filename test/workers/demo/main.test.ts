import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { startDemoServer } from '../../fixtures/demo-server.ts';

const PREFIX = String.raw`^\[\d\d:\d\d:\d\d\] \[Server thread/INFO\]: `;
const info = (message: string): RegExp => new RegExp(`${PREFIX}${message.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`);

t.test('prints the lines of vanilla at the start, in vanilla’s order', async (t) => {
  const server = await startDemoServer(t);
  const order = [
    /Starting minecraft server version 1\.20\.4$/,
    /Starting Minecraft server on 127\.0\.0\.1:\d+$/,
    /Preparing level "world"$/,
    new RegExp(`${PREFIX}Done \\(\\d+\\.\\d{3}s\\)! For help, type "help"$`),
    new RegExp(`${PREFIX}RCON running on 127\\.0\\.0\\.1:\\d+$`),
  ].map((pattern) => server.lines.findIndex((line) => pattern.test(line)));
  t.notOk(order.includes(-1), 'no line is missing');
  t.same(
    order,
    order.toSorted((a, b) => a - b),
  );
});

t.test('commands answer with the texts of vanilla 1.13 and later', async (t) => {
  const server = await startDemoServer(t);
  const exchanges: [command: string, ...answers: string[]][] = [
    ['list', 'There are 0 of a max of 20 players online: '],
    ['/list', 'There are 0 of a max of 20 players online: '],
    ['nonsense here', 'Unknown or incomplete command, see below for error', 'nonsense here<--[HERE]'],
    ['constructor', 'Unknown or incomplete command, see below for error', 'constructor<--[HERE]'],
    ['demo constructor', 'Incorrect argument for command', 'demo constructor<--[HERE]'],
    ['kick', 'Unknown or incomplete command, see below for error', 'kick<--[HERE]'],
    ['save-all sometimes', 'Incorrect argument for command', 'save-all sometimes<--[HERE]'],
    ['whitelist remove Steve now', 'Incorrect argument for command', '...ove Steve now<--[HERE]'],
    ['kick Nobody', 'No player was found'],
    ['banlist', 'There are no bans'],
    ['ban Alex being rude', 'Banned Alex: being rude'],
    ['ban alex', 'Nothing changed. The player is already banned'],
    ['banlist players', 'There are 1 ban(s):', 'Alex was banned by Server: being rude'],
    ['pardon Alex', 'Unbanned Alex'],
    ['pardon Alex', "Nothing changed. The player isn't banned"],
    ['op Steve', 'Made Steve a server operator'],
    ['op Steve', 'Nothing changed. The player already is an operator'],
    ['deop Steve', 'Made Steve no longer a server operator'],
    ['deop Steve', 'Nothing changed. The player is not an operator'],
    ['whitelist list', 'There are no whitelisted players'],
    ['whitelist add Steve', 'Added Steve to the whitelist'],
    ['whitelist add Steve', 'Player is already whitelisted'],
    ['whitelist list', 'There are 1 whitelisted player(s): Steve'],
    ['whitelist on', 'Whitelist is now turned on'],
    ['whitelist on', 'Whitelist is already turned on'],
    ['whitelist off', 'Whitelist is now turned off'],
    ['whitelist remove Steve', 'Removed Steve from the whitelist'],
    ['whitelist remove Steve', 'Player is not whitelisted'],
    ['difficulty', 'The difficulty is Easy'],
    ['difficulty hard', 'The difficulty has been set to Hard'],
    ['difficulty hard', 'The difficulty did not change; it is already set to hard'],
    ['difficulty 3', 'Incorrect argument for command', '...ifficulty 3<--[HERE]'],
    ['defaultgamemode creative', 'The default game mode is now Creative Mode'],
    ['setidletimeout 5', 'The player idle timeout is now 5 minutes'],
    ['gamerule keepInventory', 'Gamerule keepInventory is currently set to: false'],
    ['gamerule keepInventory true', 'Gamerule keepInventory is now set to: true'],
    ['gamerule keepInventory', 'Gamerule keepInventory is currently set to: true'],
    ['gamerule keepInventory 1', "Invalid boolean, expected 'true' or 'false' but found '1'"],
    ['gamerule randomTickSpeed -7', 'Gamerule randomTickSpeed is now set to: -7'],
    ['gamerule randomTickSpeed fast', 'Expected integer', '...TickSpeed fast<--[HERE]'],
    ['gamerule keep_inventory', 'Incorrect argument for command', 'gamerule keep_inventory<--[HERE]'],
    ['gamerule', 'Unknown or incomplete command, see below for error', 'gamerule<--[HERE]'],
    ['save-off', 'Automatic saving is now disabled'],
    ['save-off', 'Saving is already turned off'],
    ['save-all', 'Saving the game (this may take a moment!)', 'Saved the game'],
    ['save-all flush', 'Saving the game (this may take a moment!)', 'Saved the game'],
    ['save-on', 'Automatic saving is now enabled'],
    ['save-on', 'Saving is already turned on'],
    ['say hello  all', '[Server] hello  all'],
    ['tick query', 'The game is running normally', 'Target tick rate: 20.0 per second.'],
    ['demo lag 70', 'Each tick takes 70 ms longer'],
    ['tick query', "The game is running, but can't keep up with the target tick rate"],
    ['tick freeze', 'Incorrect argument for command', 'tick freeze<--[HERE]'],
  ];
  for (const [command, ...answers] of exchanges) {
    const from = server.lines.length;
    server.type(command);
    for (const answer of answers) await server.waitForLine(info(answer), from);
    t.pass(`${command}: ${answers.join(' / ')}`);
  }
  server.type('help');
  for (const usage of ['ban <targets> [<reason>]', 'help [<command>]', 'stop'])
    await server.waitForLine(info(`/${usage}`));
});

t.test('"stop" ends the server with code 0', async (t) => {
  const server = await startDemoServer(t);
  await server.stop();
  t.same(await server.exited, { code: 0, signal: null });
  for (const line of ['Stopping the server', 'Stopping server', 'Saving worlds']) await server.waitForLine(info(line));
});

t.test(
  'SIGTERM saves and ends the server, as the shutdown hook of vanilla does',
  { skip: process.platform === 'win32' },
  async (t) => {
    const server = await startDemoServer(t);
    server.child.kill('SIGTERM');
    t.same(await server.exited, { code: 143, signal: null });
    t.ok(await server.waitForLine(info('Saving worlds')));
  },
);

t.test('keeps running, without using CPU, when its input ends', async (t) => {
  const server = await startDemoServer(t);
  server.type('seed');
  await server.waitForLine(/Seed: \[-?\d+\]$/);
  server.child.stdin.end();
  server.child.kill('SIGTERM');
  await server.exited;
  t.ok(await server.waitForLine(info('Saving worlds')));
});

t.test('a port conflict prints vanilla’s text and exits with code 1', async (t) => {
  const first = await startDemoServer(t);
  const second = await startDemoServer(t, { properties: { 'server-port': String(first.port) }, until: null });
  t.same(await second.exited, { code: 1, signal: null });
  const told = second.lines.filter((line) => line.includes('[Server thread/WARN]: '));
  t.match(told, [
    /\*\*\*\* FAILED TO BIND TO PORT!$/,
    /The exception was: java\.net\.BindException: Address already in use$/,
    /Perhaps a server is already running on that port\?$/,
  ]);
});

t.test('an unknown flag is named, with exit code 2', async (t) => {
  for (const [flags, told] of [
    [['--no-such-flag'], /Unknown option '--no-such-flag'/],
    [['--flood', 'many'], /--flood needs a whole number, not 'many'/],
    [['stray'], /Unexpected argument 'stray'/],
  ] as const) {
    const server = await startDemoServer(t, { flags, until: null });
    t.equal((await server.exited).code, 2);
    await server.waitForLine(told);
  }
});

t.test('with --eula, requires consent before it starts', async (t) => {
  const server = await startDemoServer(t, { flags: ['--eula'], until: null });
  t.same(await server.exited, { code: 0, signal: null });
  await server.waitForLine(
    /You need to agree to the EULA in order to run the server\. Go to eula\.txt for more info\.$/,
  );
  const eula = join(server.dir, 'eula.txt');
  t.match(await readFile(eula, 'utf8'), /^eula=false$/m);

  await writeFile(eula, '#yes\neula=TRUE\n');
  const again = await startDemoServer(t, { flags: ['--eula', 'nogui'], dir: server.dir });
  await again.stop();
});
