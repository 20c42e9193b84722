import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t, { type Test } from 'tap';
import { examine } from '../../../../daemon/cli/doctor/examine.ts';
import { prepareHome } from '../../../../daemon/home/home-directories.ts';
import { openStore } from '../../../../daemon/store/store.ts';
import { VENDOR_NAMES } from '../../../../shared/domain/vendors.ts';
import { type Home, homeAt } from '../../../../shared/node/files/home.ts';
import { identifyProcess } from '../../../../shared/node/processes/process-identity.ts';
import { openDatabase } from '../../../../workers/jobs/resources/database.ts';
import { selfSigned } from '../../../support/http/self-signed.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { instanceConfig } from '../../../support/processes/instance-config.ts';
import { fakeGateway, gamekeeper } from '../fake-gateway.ts';

const DAY_MS = 86_400_000;

/** A data directory after its first start, with two servers. */
async function newHome(t: Test): Promise<Home> {
  const home = homeAt(path.join(temporaryFolder(t), 'home'));
  await prepareHome(home);
  const store = openStore(home.database);
  for (const id of ['one', 'two']) store.instances.save(instanceConfig({ id, port: await freePort() }));
  store[Symbol.dispose]();
  await settings(home, {});
  return home;
}

/** Uses free ports. */
async function settings(home: Home, document: { remoteControl?: object }): Promise<void> {
  const remoteControl = { panelPort: await freePort(), port: await freePort(), ...document.remoteControl };
  writeFileSync(home.settings, JSON.stringify({ ...document, remoteControl }));
}

/** Returns the findings of one check. */
async function look(home: Home, check: string, options: { now?: number; online?: boolean } = {}) {
  const findings = await examine({ home, env: { PATH: process.env.PATH }, now: Date.now(), online: false, ...options });
  return findings.filter((finding) => finding.check === check);
}

/** Every file below a folder, with its content and when it was changed. */
function snapshot(folder: string): unknown[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    const { mtimeMs, mode, ino } = statSync(file);
    return [file, mtimeMs, mode, ino, entry.isFile() && readFileSync(file, 'base64')];
  });
}

t.test('without a daemon it reports no problems and changes nothing', async (t) => {
  const home = await newHome(t);
  const before = snapshot(home.root);
  const { code, stdout } = await gamekeeper(home, ['doctor', '--json']);
  const report = JSON.parse(stdout);
  t.equal(code, 0, stdout);
  t.match(report, { ok: true, problems: 0 });
  t.same(snapshot(home.root), before);
  t.match(
    report.checks.filter(({ check }: { check: string }) => check === 'Database'),
    [{ result: 'ok', says: 'intact, 2 servers' }],
  );
  t.match(await gamekeeper(home, ['doctor']), { code: 0, stdout: /^ok {7}Node .*Gamekeeper +not running$/ms });
});

t.test('a problem makes the exit status 1 and shows what to do', async (t) => {
  const home = await newHome(t);
  writeFileSync(home.settings, '{"remoteControl": {"prot": 1}}');
  const { code, stdout } = await gamekeeper(home, ['doctor']);
  t.equal(code, 1);
  t.match(stdout, /PROBLEM +Settings .*"prot" in remoteControl: unknown key.*-> Correct the file.*1 problem, /s);
});

t.test('only servers whose launch enforces memoryMb count as users of memory', async (t) => {
  const home = await newHome(t);
  const kind = {
    extends: 'custom',
    title: 'Mine',
    launch: { type: 'system', program: ['game'], env: {}, missing: 'x' },
  };
  const own = { loose: ['--port', '{port}'], tight: ['--memory={memoryMb}'] };
  for (const [name, args] of Object.entries(own)) {
    const launch = { ...kind.launch, args };
    writeFileSync(path.join(home.software, `${name}.json`), JSON.stringify({ ...kind, kind: name, launch }));
  }
  const store = openStore(home.database);
  t.teardown(() => store[Symbol.dispose]());
  const memoryMb = Math.ceil(totalmem() / 1024 ** 2);
  const warnings = async (software: string) => {
    store.instances.save(instanceConfig({ id: 'one', port: await freePort(), software, memoryMb }));
    return (await look(home, 'Memory')).filter(({ says }) => says.startsWith('The servers with a limit'));
  };
  for (const software of ['demo', 'custom', 'loose', 'gone'])
    t.same(await warnings(software), [], `${software} has no limit`);
  for (const software of ['paper', 'tight'])
    t.match(await warnings(software), [{ result: 'warning', fix: /memoryMb/ }], `${software} has a limit`);
});

t.test('a folder that other users can access', async (t) => {
  const home = await newHome(t);
  chmodSync(home.root, 0o755);
  t.match(await look(home, 'Data directory'), [{ result: 'warning', says: /Other users can read/, fix: /chmod 700/ }]);
  t.match(await look(home, 'Privacy'), [{ result: 'problem', says: /settings\.json/ }]);
  chmodSync(home.root, 0o777);
  t.match(await look(home, 'Data directory'), [{ result: 'problem', says: /Other users can write/ }]);
  chmodSync(home.root, 0o700);
  t.match(await look(home, 'Data directory'), [{ result: 'ok' }]);
  t.same(await look(home, 'Privacy'), [], 'others cannot enter the folder');
});

t.test('a damaged database, and one of a newer version', async (t) => {
  const home = await newHome(t);
  const content = readFileSync(home.database);
  // Pages after the first contain the tables.
  writeFileSync(home.database, Buffer.from(content).fill(0xaa, 4096 * 2));
  t.match(await look(home, 'Database'), [{ result: 'problem', fix: /before-upgrade/ }]);
  writeFileSync(home.database, '');
  t.match(
    await look(home, 'Database'),
    [{ result: 'ok', says: /first start/ }],
    'an empty file of a killed first start',
  );
  writeFileSync(home.database, 'no database');
  t.match(await look(home, 'Database'), [{ result: 'problem', says: /cannot be read/ }]);
  writeFileSync(home.database, content);
  t.match(await look(home, 'Database'), [{ result: 'ok' }]);
  openDatabase(home.database).close();
  t.match(await look(home, 'Database'), [{ result: 'ok' }]);
  for (const table of ['daemon_schema', 'backup_schema']) {
    const database = new DatabaseSync(home.database);
    database.exec(`UPDATE ${table} SET steps = steps + 1`);
    t.match(await look(home, 'Database'), [{ result: 'problem', says: /newer version/ }], table);
    database.exec(`UPDATE ${table} SET steps = steps - 1`);
    database.close();
  }
});

t.test('ports in use', async (t) => {
  const home = await newHome(t);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  await settings(home, { remoteControl: { panelPort: port } });
  const findings = await look(home, 'Ports');
  t.match(
    findings.filter(({ result }) => result !== 'ok'),
    [
      {
        result: 'problem',
        says: `127.0.0.1:${port} cannot be used: another program`,
        fix: /remoteControl\.panelPort/,
      },
    ],
  );
});

t.test('a certificate before, near and after its expiry', async (t) => {
  const home = await newHome(t);
  for (const [name, pem] of Object.entries(selfSigned())) writeFileSync(path.join(home.root, name), pem);
  await settings(home, { remoteControl: { tls: { cert: 'cert', key: 'key' } } });
  const [fine] = await look(home, 'TLS certificate');
  const days = Number(/valid for (\d+)/.exec(fine?.says ?? '')?.[1]);
  const at = (day: number) => ({ now: Date.now() + day * DAY_MS });
  t.match(await look(home, 'TLS certificate', at(days - 5)), [{ result: 'warning' }]);
  t.match(await look(home, 'TLS certificate', at(days + 2)), [{ result: 'problem', says: /expired/ }]);
  await settings(home, { remoteControl: { tls: { cert: 'key', key: 'key' } } });
  t.match(await look(home, 'TLS certificate'), [{ result: 'problem', says: /cannot be used/ }]);
});

t.test('Java that starts, is another version, or does not start', async (t) => {
  const home = await newHome(t);
  const install = (name: string, script: string) => {
    const folder = path.join(home.runtimes, name, 'bin');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'java'), script, { mode: 0o755 });
  };
  install('java-21', '#!/bin/sh\necho \'openjdk version "21.0.9"\' >&2');
  install('java-17', '#!/bin/sh\necho \'openjdk version "11.0.2"\' >&2');
  install('java-8', '');
  writeFileSync(path.join(home.runtimes, 'java-21.json'), '{}');
  t.match(await look(home, 'Java'), [
    { result: 'problem', says: /java-17 does not start as Java 17/ },
    { result: 'ok', says: 'java-21: 21.0.9' },
    { result: 'problem', says: /java-8/ },
  ]);
});

t.test('a clock that was set back', async (t) => {
  const home = await newHome(t);
  const later = new Date(Date.now() + 3_600_000);
  utimesSync(home.database, later, later);
  t.match(await look(home, 'Clock'), [{ result: 'problem', says: /min behind/ }]);
});

t.test('servers that run without Gamekeeper', async (t) => {
  const home = await newHome(t);
  const alive = JSON.stringify(await identifyProcess(process.pid));
  const dead = JSON.stringify({ pid: process.pid, startTime: 'another' });
  writeFileSync(home.supervisorRecord('one'), dead);
  writeFileSync(home.gameRecord('one'), alive);
  writeFileSync(home.supervisorRecord('two'), dead);
  writeFileSync(home.daemonLock, dead);
  t.match(await look(home, 'Servers'), [
    { result: 'warning', says: /without a supervisor/ },
    { result: 'ok', says: /next start cleans up/ },
  ]);
  t.match(await look(home, 'Gamekeeper'), [{ result: 'ok', says: /was killed/ }]);
});

t.test('each degradation of a server comes with what to do', async (t) => {
  const degraded = ['taken-over', 'leftovers', 'unresponsive', 'incompatible'];
  const { home } = await fakeGateway(t, () => ({
    body: degraded.map((name) => ({ id: name, name, degraded: name, leftovers: [{ pid: 77, command: 'java' }] })),
  }));
  writeFileSync(home.daemonLock, JSON.stringify(await identifyProcess(process.pid)));
  mkdirSync(path.dirname(home.supervisorRecord('incompatible')), { recursive: true });
  writeFileSync(home.supervisorRecord('incompatible'), JSON.stringify({ pid: 1234, startTime: 'then' }));
  const [recovered, left, unresponsive, incompatible] = await look(home, 'Servers');
  t.match(recovered, { says: /^taken-over: .*terminal\.$/, fix: /^Restart the server/ });
  t.match(left, { says: /^leftovers: .*still run\.$/, fix: /77 \(java\)/ });
  // Both answer 503 to a restart.
  t.match(unresponsive, { says: /does not answer\.$/, fix: /^Wait two minutes: .*supervisors\/unresponsive\.log/ });
  t.match(incompatible, {
    says: /incompatible version\.$/,
    fix: /^Stop the server with that version, or end the process 1234,/,
  });
});

t.test("the limit of open files is the running daemon's", async (t) => {
  if (process.platform !== 'linux') return;
  const home = await newHome(t);
  t.match(await look(home, 'Open files'), [{ result: 'ok' }]);
  const daemon = spawn('sh', ['-c', 'ulimit -n 800; echo; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.teardown(() => daemon.kill('SIGKILL'));
  await once(daemon.stdout, 'data');
  writeFileSync(home.daemonLock, JSON.stringify(await identifyProcess(daemon.pid!)));
  t.match(await look(home, 'Open files'), [
    { result: 'problem', says: /^Only 800 open files/, fix: /LimitNOFILE=.*restart/ },
  ]);
});

t.test('a daemon that answers, and one that does not', async (t) => {
  const { home, server } = await fakeGateway(t, ({ path }) => ({
    body: path === '/instances' ? [{ name: 'Demo', degraded: 'unresponsive' }] : { status: 'ok' },
  }));
  writeFileSync(home.daemonLock, JSON.stringify(await identifyProcess(process.pid)));
  t.match(await look(home, 'Gamekeeper'), [{ result: 'ok', says: `running (pid ${process.pid}), answers` }]);
  t.match(await look(home, 'Servers'), [{ result: 'warning', says: /^Demo: its supervisor does not answer/ }]);
  await new Promise((resolve) => server.close(resolve));
  t.match(await look(home, 'Gamekeeper'), [
    { result: 'problem', says: /does not answer/, fix: /while the servers keep running/ },
  ]);
});

t.test('vendors are contacted only with --online, and their clock is compared', async (t) => {
  const home = await newHome(t);
  let asked = 0;
  const vendor = createHttpServer((_request, response) => {
    asked++;
    response.writeHead(404, { date: new Date(Date.now() + 600_000).toUTCString() }).end();
  });
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  t.teardown(() => vendor.close());
  const { port } = vendor.address() as { port: number };
  const vendors: Record<string, string> = Object.fromEntries(
    VENDOR_NAMES.map((name) => [name, `http://127.0.0.1:${port}`]),
  );
  vendors.paper = `http://127.0.0.1:${await freePort()}`;
  await settings(home, { vendors } as object);
  t.same(await look(home, 'Vendors'), []);
  t.equal(asked, 0);
  const findings = await examine({ home, env: {}, now: Date.now(), online: true });
  t.match(
    findings.filter(({ check, result }) => check === 'Vendors' && result !== 'ok'),
    [{ result: 'warning', says: /^paper .* does not answer/ }],
  );
  t.equal(asked, VENDOR_NAMES.length - 1);
  t.match(
    findings.filter(({ check, result }) => check === 'Clock' && result === 'problem'),
    [{ says: /^It is (?:599|600) s behind/ }],
  );
});
