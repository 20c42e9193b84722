/** Upload and download of a large file by SFTP and by HTTP, compared with OpenSSH's own SFTP server and client (F1), and with `cp`. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { requestJson } from '../../support/http/request-json.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { startSshServer } from '../../support/machine/ssh-server.ts';
import { type BenchRow, medianOf, ROUNDS, ratioRow, rounded } from '../row.ts';
import { type BenchGamekeeper, startForBench } from '../running-gamekeeper.ts';

/** `GAMEKEEPER_BENCH_MIB=64 npm run bench -- transfers` is a quick run. */
const MIB = Number(process.env.GAMEKEEPER_BENCH_MIB ?? 1024);
const GOAL = 0.5;
const execute = promisify(execFile);

/** Moves the file to a server and back, in processes of their own. */
interface Client {
  upload(file: string): Promise<unknown>;
  download(to: string): Promise<unknown>;
}

/** Seconds. */
interface Times {
  upload: number[];
  download: number[];
}

export async function run(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-bench-transfers-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const sshd = await startSshServer({ teardown: (end) => cleanup.defer(async () => void (await end())) });
  const key = path.join(folder, 'key');
  writeFileSync(key, sshd.privateKey, { mode: 0o600 });
  const gamekeeper = await startForBench(cleanup);
  const port = await prepare(gamekeeper, (await execute('ssh-keygen', ['-y', '-f', key])).stdout);
  const clients = {
    sftp: sftpClient({ port, username: 'admin', remote: '/bench/large', key }),
    http: httpClient(gamekeeper),
    theirs: sftpClient({ port: sshd.port, username: 'root', remote: path.join(folder, 'remote'), key }),
  };
  const file = path.join(folder, 'large');
  writeLarge(file);

  const back = path.join(folder, 'back');
  const times = { sftp: emptyTimes(), http: emptyTimes(), theirs: emptyTimes() };
  const copies: number[] = [];
  for (let count = 0; count < ROUNDS; count++) {
    for (const how of ['sftp', 'http', 'theirs'] as const) {
      times[how].upload.push(await timed(() => clients[how].upload(file)));
      times[how].download.push(await timed(() => clients[how].download(back)));
      await execute('cmp', [file, back]);
    }
    copies.push(await timed(() => execute('cp', [file, back])));
  }
  return [
    rowOf('upload by SFTP', times.sftp.upload, times.theirs.upload),
    rowOf('download by SFTP', times.sftp.download, times.theirs.download),
    rowOf('upload by HTTP', times.http.upload, times.theirs.upload),
    rowOf('download by HTTP', times.http.download, times.theirs.download),
    copyRow(copies),
  ];
}

/** Turns SFTP on and adds the key. Resolves to the port. */
async function prepare({ panel, password, api }: BenchGamekeeper, publicKey: string): Promise<number> {
  const port = await freePort();
  const { headers } = await requestJson('POST', new URL('/api/login', panel), {
    body: { username: 'admin', password },
  });
  const cookie = headers.getSetCookie()[0]!.split(';')[0]!;
  const ask = async (method: string, route: string, body: object) => {
    const answer = await requestJson(method, new URL(route, panel), { body, headers: { cookie, origin: panel } });
    if (answer.status >= 300) throw new Error(`${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  await ask('PUT', '/api/settings', { sftp: { enabled: true, port } });
  await ask('POST', '/api/ssh-keys', { publicKey, password, label: 'bench' });
  await api('POST', '/instances', { name: 'Bench', id: 'bench', software: 'demo' });
  return port;
}

/** OpenSSH's. `remote`: where the file arrives. */
function sftpClient({
  port,
  username,
  remote,
  key,
}: {
  port: number;
  username: string;
  remote: string;
  key: string;
}): Client {
  const quiet = ['-oStrictHostKeyChecking=no', '-oUserKnownHostsFile=/dev/null', '-oLogLevel=ERROR', '-q'];
  const args = [...quiet, '-F', '/dev/null', '-i', key, '-b', '-', '-P', String(port), `${username}@127.0.0.1`];
  const run = async (command: string) => {
    const running = execute('sftp', args);
    running.child.stdin?.end(`${command}\n`);
    await running;
  };
  return { upload: (file) => run(`put ${file} ${remote}`), download: (to) => run(`get ${remote} ${to}`) };
}

function httpClient({ panel, authorization }: BenchGamekeeper): Client {
  const url = new URL('/instances/bench/files/content?path=large-by-http', panel).href;
  const run = (...args: string[]) =>
    execute('curl', ['-sS', '--fail', '-o', '/dev/null', '-H', `authorization: ${authorization}`, ...args, url]);
  return { upload: (file) => run('-T', file), download: (to) => run('-o', to) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

/** Bytes that do not compress. */
function writeLarge(file: string): void {
  const piece = randomBytes(1024 * 1024);
  const descriptor = openSync(file, 'w');
  for (let count = 0; count < MIB; count++) {
    piece.writeUInt32BE(count);
    writeSync(descriptor, piece);
  }
  closeSync(descriptor);
}

/** `ours` and `theirs`: seconds of each round. */
function rowOf(what: string, ours: readonly number[], theirs: readonly number[]): BenchRow {
  return ratioRow({
    id: 'F1',
    what: `${what}, ${MIB} MiB`,
    unit: 'MiB/s',
    comparedWith: "OpenSSH's server",
    turns: ours.map((seconds, round) => ({ ours: MIB / seconds, theirs: MIB / theirs[round]! })),
    goal: { atLeast: GOAL },
  });
}

/** For information: nothing that encrypts is as fast. */
function copyRow(copies: readonly number[]): BenchRow {
  const value = rounded(MIB / medianOf(copies));
  return { id: 'F1', what: `cp, ${MIB} MiB`, value, unit: 'MiB/s', goal: 'none', pass: true };
}

function emptyTimes(): Times {
  return { upload: [], download: [] };
}
