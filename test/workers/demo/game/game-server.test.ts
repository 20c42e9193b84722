import t from 'tap';
import { startDemoServer } from '../../../fixtures/demo-server.ts';

t.test('--exit-at-once exits with the given code before it creates any file', async (t) => {
  const server = await startDemoServer(t, { flags: ['--exit-at-once', '3'], until: null });
  t.same(await server.exited, { code: 3, signal: null });
  t.notMatch(server.lines, [/Starting/]);
});

t.test('a crash prints a stack trace without prefixes and exits with code 1 without saving', async (t) => {
  for (const flags of [['--crash-after', '50'], []]) {
    const server = await startDemoServer(t, { flags, until: /Done/ });
    if (flags.length === 0) server.type('demo crash');
    t.same(await server.exited, { code: 1, signal: null });
    t.match(server.lines.slice(-4), [
      /\/ERROR\]: Encountered an unexpected exception$/,
      /^java\.lang\.IllegalStateException: /,
      /^\tat /,
      /^\tat /,
    ]);
  }
});

t.test('an error is printed as vanilla prints one', async (t) => {
  const server = await startDemoServer(t);
  server.type('demo error Something broke');
  await server.waitForLine(/\[Server thread\/ERROR\]: Something broke/);
});

t.test('an exception is printed with its stack trace, and the server runs on', async (t) => {
  const server = await startDemoServer(t);
  server.type('demo exception Something broke');
  await server.waitForLine(/^\tat java\.base\//);
  t.match(server.lines.slice(-8, -5), [
    /\/ERROR\]: Something broke$/,
    /^java\.lang\.IllegalStateException: /,
    /^\tat demo\./,
  ]);
  server.type('list');
  await server.waitForLine(/There are 0 of a max/);
});

t.test(
  'a hanging server ignores stop and SIGTERM, and ends with SIGKILL only',
  { skip: process.platform === 'win32' },
  async (t) => {
    for (const flags of [['--hang'], []]) {
      const server = await startDemoServer(t, { flags });
      if (flags.length === 0) {
        server.type('demo hang');
        await server.waitForLine(/Hanging now$/);
      }
      server.type('stop');
      server.child.kill('SIGTERM');
      const lines = server.lines.length;
      // An answer of its ports proves that the event loop has handled the signal.
      const outcome = await Promise.race([server.exited, new Promise((resolve) => setTimeout(resolve, 300, 'hangs'))]);
      t.equal(outcome, 'hangs');
      t.equal(server.lines.length, lines, 'prints nothing');
      await server.kill();
      t.same(await server.exited, { code: null, signal: 'SIGKILL' });
    }
  },
);

t.test('a flood prints all of its lines in colour, then their number', async (t) => {
  const count = 20_000;
  const server = await startDemoServer(t, { flags: ['--flood', String(count)] });
  await server.waitForLine(new RegExp(`\\[Flood/INFO\\]: Flooded the console with ${count} lines$`));
  const flood = server.lines.filter((line) => line.startsWith('\x1b[32m'));
  t.equal(flood.length, count);
  t.ok(
    flood.every((line, index) => line.includes(`line ${String(index + 1).padStart(9, '0')} `)),
    'lines in order',
  );
  t.same(new Set(flood.map((line) => line.length + 1)), new Set([100]), '100 bytes per line');

  const from = server.lines.length;
  server.type('demo flood 3');
  await server.waitForLine(/Flooded the console with 3 lines$/, from);
});

t.test('gets ready late or never, and can be stopped until then', async (t) => {
  const late = await startDemoServer(t, { flags: ['--ready-after', '300'] });
  t.match(await late.waitForLine(/Done/), /Done \((?:0\.[3-9]|[1-9])\d*/);

  for (const flags of [['--never-ready'], ['--ready-after', '600000']]) {
    const never = await startDemoServer(t, { flags, until: /Preparing spawn area/ });
    await never.stop();
    t.same(await never.exited, { code: 0, signal: null });
    t.notOk(never.lines.some((line) => line.includes('Done (')));
  }
});
