import t from 'tap';
import {
  type Configuration,
  emptied,
  toChange,
  toValues,
} from '../../../../../../gateway/panel/src/pages/server/settings/settings-change.ts';

const CONFIGURATION = {
  name: 'Demo',
  version: '1.21.4',
  memoryMb: 1_536,
  port: 25_565,
  acceptEula: true,
  autoStart: false,
  stopTimeoutSeconds: 60,
  crashPolicy: { restart: 'on-failure', maxRestarts: 3, windowSeconds: 600 },
} as Configuration;
const STORED = toValues(CONFIGURATION, undefined);

t.test('a configuration is shown in gigabytes and minutes, with defaults for what it lacks', (t) => {
  t.match(STORED, { memoryGb: 1.5, windowMinutes: 10, hangSeconds: 180, autoResume: false });
  t.match(STORED, { maxPlayers: '', javaVersion: '', sleepWhenEmptyMinutes: '' });
  t.end();
});

t.test('without edits nothing is sent', (t) => {
  t.same(toChange(STORED, STORED), {});
  t.end();
});

t.test('only edited fields are sent', (t) => {
  t.same(toChange({ ...STORED, name: 'New', autoStart: true }, STORED), { name: 'New', autoStart: true });
  t.same(toChange({ ...STORED, memoryGb: 2.25 }, STORED), { memoryMb: 2_304 });
  t.same(toChange({ ...STORED, hangSeconds: 0, stopTimeoutSeconds: 90 }, STORED), {
    hangSeconds: 0,
    stopTimeoutSeconds: 90,
  });
  t.end();
});

t.test('an emptied optional field is removed', (t) => {
  const before = { ...STORED, javaVersion: '21', sleepWhenEmptyMinutes: 10 };
  t.same(toChange({ ...before, javaVersion: '', sleepWhenEmptyMinutes: '' }, before), {
    javaVersion: null,
    sleepWhenEmptyMinutes: null,
  });
  t.end();
});

t.test('the program is shown as a person writes it, and sent as a list', (t) => {
  const launch = { command: ['java', '-jar', 'my server.jar'] };
  const before = toValues({ ...CONFIGURATION, launch, stopCommand: 'quit' } as Configuration, { transport: 'tcp' });
  t.match(before, { command: 'java -jar "my server.jar"', stopCommand: 'quit', udp: false });
  t.equal(toValues(CONFIGURATION, { transport: 'udp' }).udp, true, 'the transport of the kind');
  t.same(toChange({ ...before, command: './server  --x', stopCommand: ' ', udp: true }, before), {
    launch: { command: ['./server', '--x'] },
    stopCommand: null,
    transport: 'udp',
  });
  t.same(emptied({ ...before, command: ' ' }, before), ['command']);
  t.end();
});

t.test('the environment and the sign of readiness are sent as a whole', (t) => {
  const before = toValues({ ...CONFIGURATION, env: { MAP: 'dust' }, readyPattern: '^Up' } as Configuration, undefined);
  t.match(before, { env: 'MAP=dust', ready: 'pattern', readyPattern: '^Up', readySeconds: '' });
  t.same(toChange({ ...before, env: '' }, before), { env: {} });
  t.same(toChange({ ...before, ready: 'usual' }, before), { readyPattern: null, readyAfterSeconds: null });
  t.same(toChange({ ...before, ready: 'seconds', readySeconds: 9 }, before), {
    readyPattern: null,
    readyAfterSeconds: 9,
  });
  t.same(emptied({ ...before, ready: 'seconds' }, before), ['readySeconds']);
  t.equal(toValues({ ...CONFIGURATION, readyAfterSeconds: 3 } as Configuration, undefined).ready, 'seconds');
  t.equal(STORED.ready, 'usual');
  t.end();
});

t.test('the crash policy is sent as a whole', (t) => {
  t.same(toChange({ ...STORED, windowMinutes: 0.5 }, STORED), {
    crashPolicy: { restart: 'on-failure', maxRestarts: 3, windowSeconds: 30 },
  });
  t.end();
});

t.test('a required field that had a value cannot be emptied', (t) => {
  t.same(emptied({ ...STORED, name: '  ', port: '', sleepWhenEmptyMinutes: '' }, STORED), ['name', 'port']);
  t.same(emptied(STORED, STORED), [], 'a player limit that was never set is valid');
  t.end();
});
