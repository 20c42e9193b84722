import t from 'tap';
import {
  DEFAULTS,
  freeName,
  toCreateRequest,
  toProperties,
} from '../../../../../gateway/panel/src/pages/new-server/create-values.ts';

t.test('empty fields are left to the daemon', (t) => {
  t.same(toCreateRequest({ ...DEFAULTS, software: 'paper', name: ' Survival ' }, false), {
    software: 'paper',
    name: 'Survival',
    memoryMb: 2_048,
  });
  t.end();
});

t.test('filled fields are sent, memory in MiB', (t) => {
  const values = { ...DEFAULTS, name: 'x', version: ' 1.21.4', memoryGb: 1.5, port: 25_570, acceptEula: true };
  t.match(toCreateRequest(values, false), { version: '1.21.4', memoryMb: 1_536, port: 25_570, acceptEula: true });
  t.end();
});

t.test('the command is sent only for software that has one', (t) => {
  const values = { ...DEFAULTS, software: 'custom', name: 'x', command: './arena "two words"', udp: true };
  t.match(toCreateRequest(values, true), { launch: { command: ['./arena', 'two words'] }, transport: 'udp' });
  t.notHas(toCreateRequest(values, true), { stopCommand: String, directory: String });
  t.notHas(toCreateRequest(values, false), { launch: Object, transport: String });
  const named = { ...values, stopCommand: ' quit ', directory: ' /srv/arena ' };
  t.match(toCreateRequest(named, true), { stopCommand: 'quit', directory: '/srv/arena' });
  t.notHas(toCreateRequest(values, true), { env: Object, readyPattern: String, readyAfterSeconds: Number });
  const ready = { ...values, env: 'MAP=dust\n', ready: 'pattern', readyPattern: ' ^Up ', readySeconds: 5 } as const;
  t.match(toCreateRequest(ready, true), { env: { MAP: 'dust' }, readyPattern: '^Up' });
  t.notHas(toCreateRequest(ready, true), { readyAfterSeconds: Number });
  t.match(toCreateRequest({ ...ready, ready: 'seconds' }, true), { readyAfterSeconds: 5 });
  t.end();
});

t.test('of the variables those that were entered are sent', (t) => {
  t.notHas(toCreateRequest(DEFAULTS, false), { variables: Object });
  t.match(toCreateRequest({ ...DEFAULTS, variables: { map: 'castle' } }, false), { variables: { map: 'castle' } });
  t.end();
});

t.test('of the world, what the game does by itself is left to it', async (t) => {
  t.same(toProperties(DEFAULTS.world), {});
  t.same(toProperties({ 'level-seed': ' -42 ', gamemode: 'creative', difficulty: 'easy' }), {
    'level-seed': '-42',
    gamemode: 'creative',
  });
  t.same(toProperties({ 'level-seed': '  ', gamemode: 'survival', difficulty: 'hard' }), { difficulty: 'hard' });
});

t.test('a suggested name is free', async (t) => {
  t.equal(freeName('Survival', []), 'Survival');
  t.equal(freeName('Survival', ['Creative', 'Survival 2']), 'Survival');
  t.equal(freeName('Survival', ['Survival 3', 'Survival', 'Survival 2']), 'Survival 4');
});
