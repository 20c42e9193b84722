/** Game rules from REST to the console of the running game. */
import t from 'tap';
import { freePort } from '../support/machine/free-port.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

t.test('game rules of a running server are read and set, and its world keeps them', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { api } = gamekeeper;
  const read = () => api<{ name: string; value: unknown }[]>('GET', '/instances/demo/gamerules');
  const set = (rules: object) => api('PATCH', '/instances/demo/gamerules', { rules });
  await api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  const stopped = { status: 409, body: { code: 'invalid_state', resolution: 'Start the server first.' } };
  t.match(await read(), stopped);
  t.match(await set({ keepInventory: true }), stopped);
  await api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');

  const before = await read();
  t.equal(before.status, 200);
  t.match(before.body[0], { name: 'keepInventory', key: 'keep_inventory', known: true, type: 'boolean', value: false });
  t.match(await set({ keepInventory: true, randomTickSpeed: 0 }), {
    status: 200,
    body: [
      { name: 'keepInventory', value: true },
      { name: 'randomTickSpeed', value: 0 },
    ],
  });
  t.match(await set({ keep_inventory: true }), {
    status: 422,
    body: { code: 'command_rejected', detail: 'keep_inventory: Incorrect argument for command' },
  });

  for (const hostile of [
    { keepInventory: 'true\nop Mallory' },
    { keepInventory: 'true' },
    { 'keepInventory true\nop Mallory': true },
    { 'keepInventory true': true },
    { randomTickSpeed: 1.5 },
    { randomTickSpeed: 2 ** 31 },
    { randomTickSpeed: 2 ** 31 - 1 },
    { '': true },
    Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`rule${index}`, true])),
  ])
    t.match(await set(hostile), { status: 400, body: { code: 'invalid_request' } }, JSON.stringify(hostile));
  t.same((await api('GET', '/instances/demo/players/operators')).body, [], 'nothing was sent');

  await api('POST', '/instances/demo/stop');
  await gamekeeper.waitForStatus('demo', 'stopped');
  await api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const values = Object.fromEntries((await read()).body.map(({ name, value }) => [name, value]));
  t.match(values, { keepInventory: true, randomTickSpeed: 0, mobGriefing: true });
});
