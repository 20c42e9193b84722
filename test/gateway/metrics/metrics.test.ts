import t, { type Test } from 'tap';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { openConsole } from '../../support/console/console-client.ts';
import { isProblem } from '../../support/http/problem.ts';
import { until } from '../../support/machine/until.ts';
import { build, type World } from '../../support/processes/gateway-app.ts';
import { instanceConfig } from '../../support/stand-ins/stand-in-daemon.ts';

/** The lines of a scrape, a second after the one before. */
async function scrape({ app, clock }: Pick<World, 'app' | 'clock'>): Promise<string[]> {
  clock.ahead += 1_000;
  return (await app.inject('/metrics')).body.split('\n');
}

/** Lets the gateway see the supervisor and the jobs process. */
async function withEveryProcess(t: Test): Promise<World> {
  const world = await build(t);
  world.supervisor.runtime = { phase: 'running' };
  await world.app.inject({ method: 'POST', url: '/instances/demo/restart', headers: await world.bearer() });
  await world.daemon.jobs();
  await until('every process is known', async () =>
    (await scrape(world)).includes('gamekeeper_process_up{process="jobs"} 1'),
  );
  return world;
}

t.test('metrics contain instances, and HTTP by family, route and status, without text from requests', async (t) => {
  const world = await build(t);
  const { app, daemon, bearer } = world;
  daemon.put(instanceConfig({ id: 'other' }), {
    phase: 'running',
    cpuPercent: 150,
    memoryUsedMb: 512,
    tickTimeMs: 62.5,
    tps: 16,
    playersOnline: 3,
    maxPlayers: 20,
    startedAt: 1_795_000_000_000,
  });
  const headers = await bearer();
  await until('it runs', async () => {
    const { status } = (await app.inject({ url: '/instances/other', headers })).json();
    return status === 'running';
  });
  await app.inject({ url: '/instances/nowhere', headers });
  await app.inject({ url: '/api/v1/instances/nowhere', headers });
  await app.inject('/not/a/route');

  const answer = await app.inject('/metrics');
  t.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  const lines = answer.body.split('\n');
  for (const line of [
    'gamekeeper_instances{phase="running"} 1',
    'gamekeeper_instances{phase="stopped"} 1',
    'gamekeeper_instances{phase="crashed"} 0',
    'gamekeeper_instance_up{instance="other",software="demo"} 1',
    'gamekeeper_instance_up{instance="demo",software="demo"} 0',
    'gamekeeper_instance_cpu_ratio{instance="other",software="demo"} 1.5',
    'gamekeeper_instance_memory_bytes{instance="other",software="demo"} 536870912',
    'gamekeeper_instance_memory_limit_bytes{instance="demo",software="demo"} 2147483648',
    'gamekeeper_instance_tick_time_seconds{instance="other",software="demo"} 0.0625',
    'gamekeeper_instance_ticks_per_second{instance="other",software="demo"} 16',
    'gamekeeper_instance_players{instance="other",software="demo"} 3',
    'gamekeeper_instance_players_limit{instance="other",software="demo"} 20',
    'gamekeeper_instance_start_time_seconds{instance="other",software="demo"} 1795000000',
    'gamekeeper_http_requests_total{family="daemon",method="GET",route="/instances/:id",status="404"} 1',
    'gamekeeper_http_requests_total{family="versioned",method="GET",route="/api/v1/instances/:id",status="404"} 1',
    'gamekeeper_http_requests_total{family="none",method="GET",route="unmatched",status="404"} 1',
    'gamekeeper_http_request_duration_seconds_count{family="none",method="GET",route="unmatched"} 1',
    'gamekeeper_http_request_duration_seconds_bucket{le="+Inf",family="none",method="GET",route="unmatched"} 1',
    'gamekeeper_build_info{version="1.9.9"} 1',
  ])
    t.ok(lines.includes(line), line);
  t.match(answer.body, /^gamekeeper_instance_uptime_seconds\{instance="other",software="demo"\} \d/m);
  t.notMatch(answer.body, /^(?!#|gamekeeper_).+/m, 'all names have the prefix gamekeeper_');
  const helps = lines.filter((line) => line.startsWith('# HELP '));
  t.equal(new Set(helps).size, helps.length);
});

t.test('the stats of every process are exposed', async (t) => {
  const world = await withEveryProcess(t);
  const lines = await scrape(world);
  const of = { gateway: '', daemon: '', jobs: '', supervisor: ',instance="demo"' };
  for (const [process, more] of Object.entries(of)) {
    const labels = `{process="${process}"${more}}`;
    t.ok(lines.includes(`gamekeeper_process_up${labels} 1`), labels);
    for (const name of [
      'start_time_seconds',
      'cpu_seconds_total',
      'resident_memory_bytes',
      'heap_used_bytes',
      'heap_size_bytes',
      'open_fds',
      'event_loop_lag_p99_seconds',
      'event_loop_lag_max_seconds',
    ])
      t.ok(
        lines.some((line) => line.startsWith(`gamekeeper_process_${name}${labels} `)),
        `${name}${labels}`,
      );
  }
  const labels = '{instance="demo",software="demo"}';
  for (const line of [
    'gamekeeper_process_event_loop_lag_max_seconds{process="supervisor",instance="demo"} 0.25',
    'gamekeeper_process_restarts_total{process="gateway"} 1',
    'gamekeeper_process_restarts_total{process="jobs"} 0',
    'gamekeeper_process_restarts_total{process="supervisor",instance="demo"} 2',
    `gamekeeper_console_lines_total${labels} 10`,
    `gamekeeper_console_bytes_total${labels} 1000`,
    `gamekeeper_console_redactions_total${labels} 3`,
    `gamekeeper_rcon_connections_total${labels} 2`,
    `gamekeeper_rcon_errors_total${labels} 1`,
    'gamekeeper_rcon_latency_seconds_bucket{le="0.01",instance="demo",software="demo"} 4',
    'gamekeeper_rcon_latency_seconds_bucket{le="0.1",instance="demo",software="demo"} 6',
    'gamekeeper_rcon_latency_seconds_bucket{le="+Inf",instance="demo",software="demo"} 7',
    `gamekeeper_rcon_latency_seconds_sum${labels} 0.5`,
    `gamekeeper_rcon_latency_seconds_count${labels} 7`,
    'gamekeeper_jobs_waiting 2',
    'gamekeeper_jobs_running 1',
    `gamekeeper_backups${labels} 3`,
    `gamekeeper_backups_size_bytes${labels} 3000`,
    `gamekeeper_backup_last_success_timestamp_seconds${labels} 1795000000`,
    `gamekeeper_backup_last_success_duration_seconds${labels} 1.5`,
    `gamekeeper_backup_last_success_size_bytes${labels} 1000`,
    `gamekeeper_backups_made_total${labels} 4`,
    `gamekeeper_backup_failures_total${labels} 1`,
  ])
    t.ok(lines.includes(line), line);
  const age = lines.find((line) => line.startsWith(`gamekeeper_backup_last_success_age_seconds${labels} `));
  t.ok(Math.abs(Number(age?.split(' ')[1]) - (Date.now() / 1000 - 1_795_000_000)) < 60);

  const instanceSeries = lines.filter((line) => line.includes('instance="') && !line.includes('process="'));
  const labelNames = new Set(
    instanceSeries.flatMap((line) => Array.from(line.matchAll(/(\w+)="/g), ([, name]) => name)),
  );
  t.same([...labelNames].sort(), ['instance', 'le', 'software'], 'no labels with unbounded values');
});

t.test('a process that does not answer has process_up 0 within a second, and is not started', async (t) => {
  const world = await withEveryProcess(t);
  const { daemon, supervisor, jobs } = world;
  let started = 0;
  daemon.supervisor = async () => {
    started++;
    throw new Error('nobody should ask for it');
  };
  daemon.jobs = daemon.supervisor as never;
  const silence = () => new Promise(() => undefined) as never;
  supervisor.stats = silence;
  jobs.stats = silence;
  daemon.stats = silence;
  const times: number[] = [];
  let lines: string[] = [];
  while (times.length < 3) {
    const began = performance.now();
    lines = await scrape(world);
    times.push(performance.now() - began);
  }
  t.ok(
    Math.min(...times) < 1_000,
    `the best of three counts on a busy machine: ${times.map(Math.round).join(', ')} ms`,
  );
  for (const labels of ['process="daemon"', 'process="jobs"', 'process="supervisor",instance="demo"'])
    t.ok(lines.includes(`gamekeeper_process_up{${labels}} 0`), labels);
  t.ok(lines.includes('gamekeeper_process_up{process="gateway"} 1'));
  t.ok(lines.includes('gamekeeper_instance_up{instance="demo",software="demo"} 0'), 'known values are still there');
  t.notOk(lines.some((line) => /^gamekeeper_(?:backups|console_lines|process_cpu)\S*process="jobs"/.test(line)));

  await world.dropSupervisor();
  t.ok(
    (await scrape(world)).includes('gamekeeper_process_up{process="supervisor",instance="demo"} 0'),
    'the process is shown as down',
  );
  daemon.put(instanceConfig(), { phase: 'stopped' }, null);
  daemon.showJobs({ wanted: false, socket: null });
  await until('processes that are not needed are not listed', async () =>
    (await scrape(world)).every((line) => !/process="(?:supervisor|jobs)"/.test(line)),
  );
  t.equal(started, 0);
});

t.test('an older supervisor without stats is up', async (t) => {
  const world = await withEveryProcess(t);
  world.supervisor.stats = () => {
    throw new GamekeeperError('internal_error', 'What it says to calls that it does not know.');
  };
  const lines = await scrape(world);
  t.ok(lines.includes('gamekeeper_process_up{process="supervisor",instance="demo"} 1'));
  t.notOk(lines.some((line) => line.startsWith('gamekeeper_process_cpu_seconds_total{process="supervisor"')));
});

t.test('console viewers, bytes and skipped lines are counted', async (t) => {
  const world = await withEveryProcess(t);
  const { app, supervisor, bearer } = world;
  const labels = '{instance="demo",software="demo"}';
  const value = async (name: string) =>
    Number((await scrape(world)).find((line) => line.startsWith(`${name}${labels} `))?.split(' ')[1]);
  supervisor.print('one', 'two', 'three');
  supervisor.rotateAway(2);
  const path = '/ws/instances/demo/console?after=0';
  const viewer = await openConsole(t, app, { path, headers: await bearer(['logs:read']) });
  await viewer.until(({ frames }) => frames.join('').includes('three'));
  t.equal(await value('gamekeeper_console_viewers'), 1);
  t.equal(await value('gamekeeper_console_skipped_lines_total'), 2);
  const payload = viewer.frames.reduce((bytes, frame) => bytes + frame.length, 0);
  t.equal(
    await value('gamekeeper_console_sent_bytes_total'),
    payload + 2 * viewer.frames.length,
    'frame headers are counted',
  );
  viewer.socket.close();
  await viewer.closed();
  await until('the viewer has left', async () => (await value('gamekeeper_console_viewers')) === 0);
});

t.test('OpenMetrics is returned on request, also next to Prometheus scrapes', async (t) => {
  const { app } = await build(t);
  const accept = 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5';
  const openMetrics = { url: '/metrics', headers: { accept } };
  const [open, plain] = await Promise.all([app.inject(openMetrics), app.inject('/metrics')]);
  t.match(open.headers['content-type'], /^application\/openmetrics-text/);
  t.match(open.body, /# EOF\n?$/);
  t.match(open.body, /^# TYPE gamekeeper_process_cpu_seconds counter$/m);
  t.match(open.body, /^gamekeeper_process_cpu_seconds_total\{/m);
  for (const body of [plain.body, (await app.inject('/metrics')).body]) {
    t.notMatch(body, /# EOF/);
    t.match(body, /^# TYPE gamekeeper_process_cpu_seconds_total counter$/m);
    t.match(body, /^gamekeeper_process_cpu_seconds_total\{/m);
  }
});

t.test('only callers on this machine read metrics without credentials', async (t) => {
  const { listener, bearer } = await build(t);
  const [loopback, open] = [await listener(), await listener({ loopback: false })];
  t.equal((await loopback.inject('/metrics')).statusCode, 200);
  for (const host of ['127.0.0.1:25580', '127.0.0.9', '[::1]:25580', 'LOCALHOST'])
    t.equal((await loopback.inject({ url: '/metrics', headers: { host } })).statusCode, 200, host);
  for (const host of ['192.0.2.1', '[2001:db8::1]:25580', '0.0.0.0'])
    isProblem(t, await loopback.inject({ url: '/metrics', headers: { host } }), 'unauthenticated', host);
  const elsewhere = await loopback.inject({ url: '/metrics', remoteAddress: '192.0.2.1' });
  isProblem(t, elsewhere, 'unauthenticated', 'a connection from another machine');
  for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'via', 'x-real-ip'])
    isProblem(t, await loopback.inject({ url: '/metrics', headers: { [name]: '1' } }), 'unauthenticated', name);
  isProblem(t, await open.inject('/metrics'), 'unauthenticated', 'a listener that others reach');
  t.equal((await open.inject({ url: '/metrics', headers: await bearer(['servers:read']) })).statusCode, 200);
  isProblem(t, await open.inject({ url: '/metrics', headers: await bearer(['logs:read']) }), 'insufficient_scope');
});

t.test('a proxy that neither keeps the Host header nor adds one opens no metrics', async (t) => {
  for (const remoteControl of [{ allowedHosts: ['games.example'] }, { allowedOrigins: ['https://games.example'] }]) {
    const { app, bearer } = await build(t, { settings: { remoteControl } });
    const headers = { host: '127.0.0.1:25580' }; // proxy_pass of nginx
    isProblem(t, await app.inject({ url: '/metrics', headers }), 'unauthenticated');
    const scraper = { ...headers, ...(await bearer(['servers:read'])) };
    t.equal((await app.inject({ url: '/metrics', headers: scraper })).statusCode, 200);
  }
});

t.test('the text is made once a second for each format, however many ask', async (t) => {
  const world = await build(t);
  const { app, daemon, clock } = world;
  let asked = 0;
  const { stats } = daemon;
  daemon.stats = () => {
    asked++;
    return stats();
  };
  const openMetrics = { accept: 'application/openmetrics-text' };
  const [first] = await Promise.all(Array.from({ length: 20 }, () => app.inject('/metrics')));
  for (const headers of [{}, openMetrics, openMetrics, {}]) await app.inject({ url: '/metrics', headers });
  t.equal((await app.inject('/metrics')).body, first?.body);
  t.equal(asked, 1);
  clock.ahead += 1_000;
  await app.inject('/metrics');
  t.equal(asked, 2);
  clock.ahead -= 3_600_000;
  await app.inject('/metrics');
  t.equal(asked, 3, 'the clock was set back');
});

t.test('only scrapes without credentials on this machine are not counted', async (t) => {
  const { app, bearer, listener } = await build(t, { settings: { limits: { requestsPerSecond: 1, burst: 3 } } });
  const open = await listener({ loopback: false });
  const headers = await bearer(['servers:read']);
  const statuses = async (request: () => Promise<{ statusCode: number }>) => {
    const found = [];
    for (let n = 0; n < 5; n++) found.push((await request()).statusCode);
    return found;
  };
  t.same(await statuses(() => app.inject('/metrics')), [200, 200, 200, 200, 200]);
  t.same(await statuses(() => open.inject({ url: '/metrics', headers })), [200, 200, 200, 429, 429]);
  t.same(await statuses(() => open.inject('/metrics')), [401, 401, 401, 429, 429]);
});

t.test('pages of other sites cannot request metrics', async (t) => {
  const { app, bearer } = await build(t);
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://evil.example' },
    { origin: 'http://localhost:8123' },
  ])
    isProblem(t, await app.inject({ url: '/metrics', headers }), 'origin_not_allowed', JSON.stringify(headers));
  for (const site of ['none', 'same-origin'])
    t.equal((await app.inject({ url: '/metrics', headers: { 'sec-fetch-site': site } })).statusCode, 200, site);
  const scraper = { ...(await bearer(['servers:read'])), 'sec-fetch-site': 'cross-site' };
  t.equal((await app.inject({ url: '/metrics', headers: scraper })).statusCode, 200);
});
