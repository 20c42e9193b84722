import t from 'tap';
import type { Instance, Schemas } from '../../../../../gateway/panel/src/api/transport/client.ts';
import { type AttentionContext, concernsOf } from '../../../../../gateway/panel/src/pages/overview/attention.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 24 * 3_600_000;
const CRASH = { at: '2026-11-20T11:00:00Z', exitCode: 1, signal: null, reason: 'It ended.', restarts: 3 };

const server = (id: string, more: Partial<Instance> = {}): Instance => ({
  id,
  name: id,
  software: 'paper',
  version: '1.21.8',
  port: 25_565,
  status: 'stopped',
  phase: 'stopped',
  ...more,
});
const host = (more: Partial<Schemas['HostState']>): Schemas['HostState'] => ({
  cpuPercent: 1,
  memory: { usedBytes: 1, totalBytes: 2 },
  ...more,
});
const found = (instances: Instance[], state?: Schemas['HostState'], more: Partial<AttentionContext> = {}) =>
  concernsOf(instances, { host: state, failedJobs: new Map(), now: NOW, ...more }).map(({ subject, level, servers }) =>
    [subject, level, ...servers.map(({ id }) => id)].join(' '),
  );

t.test('what is wrong with servers is listed, the most urgent first', async (t) => {
  t.same(found([server('fine'), server('running', { phase: 'running', status: 'running', tps: 20 })]), []);
  t.same(
    found([
      server('old', { degraded: 'leftovers' }),
      server('other', { degraded: 'incompatible' }),
      server('slow', { phase: 'running', status: 'running', tps: 9 }),
      server('deaf', { phase: 'running', status: 'running', degraded: 'unresponsive' }),
      server('never', { phase: 'crashed', crash: { ...CRASH, exitCode: null, failedStart: { code: 'port_in_use' } } }),
      server('fell', { phase: 'crashed', crash: CRASH }),
      server('fell-too', { phase: 'crashed', crash: CRASH }),
    ]),
    [
      'crashed danger fell fell-too',
      'notStarted danger never',
      'unresponsive danger deaf',
      'lag danger slow',
      'incompatible warning other',
      'leftovers warning old',
    ],
  );
});

t.test('servers that run need a backup from the last seven days', async (t) => {
  const running = { phase: 'running', status: 'running' } as const;
  const servers = [server('new', running), server('stale', running), server('safe', running), server('stopped')];
  const backups = [
    { instanceId: 'safe', createdAt: new Date(NOW - 7 * DAY_MS).toISOString() },
    { instanceId: 'stale', createdAt: new Date(NOW - 7 * DAY_MS - 1).toISOString() },
  ];
  t.same(found(servers, host({ backups })), ['backups warning new stale']);
  t.same(found(servers, host({})), [], 'nothing is claimed while they are unknown');
  t.same(found(servers), []);
});

t.test('failed jobs and paused schedules are those of the servers that are shown', async (t) => {
  const servers = [server('one'), server('two'), server('three')];
  const more = {
    failedJobs: new Map([
      ['two', 'mods'],
      ['deleted', 'backup'],
    ] as const),
  };
  t.same(found(servers, host({ pausedSchedules: ['one', 'two'] }), more), [
    'failedTasks warning two',
    'pausedSchedules warning one two',
  ]);
});

t.test('a full disk comes first, one that fills up last', async (t) => {
  const servers = [server('fell', { phase: 'crashed', crash: CRASH })];
  const disk = (freeBytes: number) => host({ disk: { freeBytes, totalBytes: 100 } });
  t.same(found(servers, disk(5)), ['disk danger', 'crashed danger fell']);
  t.same(found(servers, disk(15)), ['crashed danger fell', 'disk warning']);
  t.same(found(servers, disk(16)), ['crashed danger fell']);
});
