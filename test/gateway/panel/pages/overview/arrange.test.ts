import t from 'tap';
import type { Instance } from '../../../../../gateway/panel/src/api/transport/client.ts';
import { type Arrangement, arrange } from '../../../../../gateway/panel/src/pages/overview/arrange.ts';

const server = (name: string, more: Partial<Instance> = {}): Instance => ({
  id: name.toLowerCase().replace(' ', '-'),
  name,
  software: 'paper',
  version: '1.21.8',
  port: 25_565,
  status: 'stopped',
  ...more,
});
const SERVERS = [
  server('Server 10', { phase: 'running', status: 'running', playersOnline: 2, memoryUsedMb: 900 }),
  server('Server 2', { software: 'fabric', phase: 'crashed', port: 25_570 }),
  server('Lobby', { software: 'velocity', phase: 'starting', status: 'starting', memoryUsedMb: 2_000 }),
  server('Old world', { phase: 'sleeping' }),
  server('Archive'),
];
const shown = (arrangement: Partial<Arrangement>) =>
  arrange(SERVERS, { search: '', sort: 'name', group: 'none', ...arrangement }).map(({ key, servers }) => [
    key,
    servers.map(({ name }) => name).join(),
  ]);

t.test('servers are sorted, with equal ones by name and numbers by value', async (t) => {
  t.same(shown({}), [['', 'Archive,Lobby,Old world,Server 2,Server 10']]);
  t.same(shown({ sort: 'state' }), [['', 'Server 2,Lobby,Server 10,Old world,Archive']]);
  t.same(shown({ sort: 'players' }), [['', 'Server 10,Archive,Lobby,Old world,Server 2']]);
  t.same(shown({ sort: 'memory' }), [['', 'Lobby,Server 10,Archive,Old world,Server 2']]);
});

t.test('servers are grouped', async (t) => {
  t.same(shown({ group: 'state' }), [
    ['crashed', 'Server 2'],
    ['running', 'Lobby,Server 10'],
    ['sleeping', 'Old world'],
    ['stopped', 'Archive'],
  ]);
  t.same(shown({ group: 'software', sort: 'players' }), [
    ['fabric', 'Server 2'],
    ['paper', 'Server 10,Archive,Old world'],
    ['velocity', 'Lobby'],
  ]);
});

t.test('servers are found by what the list shows of them', async (t) => {
  for (const search of ['server 2', 'FABRIC', ' 25570 ', 'server-2'])
    t.same(shown({ search }), [['', 'Server 2']], search);
  t.same(shown({ search: 'nowhere' }), []);
});
