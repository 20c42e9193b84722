import path from 'node:path';
import t from 'tap';
import { defaultHome, homeAt } from '../../../../shared/node/files/home.ts';

t.test('the layout is the documented one', async (t) => {
  const home = homeAt('/data');
  t.match(home, {
    settings: '/data/settings.json',
    database: '/data/gamekeeper.db',
    daemonRecord: '/data/run/daemon.json',
    daemonSocket: '/data/run/daemon.sock',
  });
  t.equal(home.supervisorSocket('demo'), '/data/run/instances/demo.sock');
  t.equal(home.supervisorRecord('demo'), '/data/run/instances/demo.json');
  t.equal(home.instanceDirectory('demo'), '/data/instances/demo');
});

t.test('sockets of a deep home are in a short private folder, each with its own name', async (t) => {
  const home = homeAt(path.join('/', 'deep'.repeat(30)));
  const sockets = [
    home.daemonSocket,
    home.gatewaySocket,
    home.supervisorSocket('a'.repeat(32)),
    home.supervisorSocket('daemon'),
  ];
  for (const socket of sockets) t.ok(Buffer.byteLength(socket) <= 103, socket);
  t.equal(new Set(sockets).size, sockets.length);
  t.not(homeAt(path.join('/', 'deep'.repeat(31))).daemonSocket, home.daemonSocket, 'two homes never share a socket');
});

t.test('GAMEKEEPER_HOME decides where the data is', async (t) => {
  t.equal(defaultHome({ GAMEKEEPER_HOME: '/srv/../data' }), '/data');
});
