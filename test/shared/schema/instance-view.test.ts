import t from 'tap';
import { PHASES } from '../../../shared/domain/instance/phase.ts';
import { type InstanceConfig, instance } from '../../../shared/schema/instance.ts';
import { toInstance } from '../../../shared/schema/instance-view.ts';

const config: InstanceConfig = {
  id: 'demo',
  name: 'Demo',
  software: 'demo',
  version: '1.0',
  port: 25_565,
  memoryMb: 2048,
  eulaAccepted: false,
  autoStart: false,
  crashPolicy: { restart: 'on-failure', maxRestarts: 3, windowSeconds: 600 },
  stopTimeoutSeconds: 60,
  directory: '/srv/demo',
  managed: true,
  rcon: { port: 25_575, password: 'a-secret-password' },
  env: { KEY: 'another-secret' },
  createdAt: '2026-11-20T08:00:00.000Z',
};
/** The clock was set forward by a day since the start. */
const NOW = { epochMs: 86_461_500, monotonicMs: 61_500 };
const stats = {
  cpuPercent: 12.5,
  memoryUsedMb: 300,
  tickTimeMs: 12.5,
  tps: 20,
  playersOnline: 2,
  maxPlayers: 20,
  startedAt: 1_000,
  startedMonotonicMs: 1_000,
  pid: 42,
};

t.test('live stats are present while running only', async (t) => {
  t.match(toInstance(config, { phase: 'running', ...stats }, NOW), {
    status: 'running',
    playersOnline: 2,
    maxPlayers: 20,
    cpuPercent: 12.5,
    memoryUsedMb: 300,
    tickTimeMs: 12.5,
    tps: 20,
    uptimeSeconds: 60,
  });
  for (const phase of ['stopped', 'crashed', 'sleeping', 'provisioning', 'starting'] as const) {
    t.hasOwnPropsOnly(
      toInstance(config, { phase, ...stats }, NOW),
      ['id', 'name', 'software', 'version', 'port', 'status', 'maxPlayers', 'memoryMb', 'phase'],
      phase,
    );
  }
});

t.test('everybody who sees a server sees its public address, while it works', async (t) => {
  const tunnel = { provider: 'playit', address: 'play.example.net', numericAddress: '', pingMs: 9, reconnects: 0 };
  const shown = (state: 'connecting' | 'up' | 'failed', address = tunnel.address) =>
    toInstance(config, { phase: 'running', tunnel: { ...tunnel, state, address } }, NOW).publicAddress;
  t.equal(shown('up'), 'play.example.net');
  t.equal(shown('failed'), undefined);
  t.equal(shown('connecting'), undefined);
  t.equal(shown('up', ''), undefined, 'it is not known yet');
});

t.test('the uptime of a server that an earlier version started is counted by the clock', async (t) => {
  const { startedMonotonicMs: _, ...earlier } = stats;
  t.match(toInstance(config, { phase: 'running', ...earlier }, { epochMs: 61_500, monotonicMs: 5 }), {
    uptimeSeconds: 60,
  });
});

t.test('in every phase the result fits the public schema and holds no secret', async (t) => {
  for (const phase of PHASES) {
    const view = toInstance(config, { phase, activity: 'backing-up', ...stats }, NOW);
    t.same(instance.parse(view), view, phase);
    t.notMatch(JSON.stringify(view), /secret/);
  }
});

t.test('the settings are those of the next start, and what the server runs with is beside them', async (t) => {
  const pendingRestart = [{ setting: 'port', running: '25570', configured: '25565' }, { setting: 'env' }];
  const view = toInstance(config, { phase: 'running', ...stats, pendingRestart, restartWhenEmpty: true }, NOW);
  t.match(view, { port: 25_565, pendingRestart, restartWhenEmpty: true });
  t.ok(instance.safeParse(view).success);
});
