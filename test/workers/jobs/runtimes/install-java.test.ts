import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { instanceConfig } from '../../../support/jobs/fake-peers.ts';
import { hash } from '../../../support/jobs/fake-vendors.ts';
import { killProcess, setup, startProcess } from '../../../support/jobs/start-process.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';

/** The vendor stalls after this many bytes of the archive, the first time. */
const FIRST_BYTES = 100;

/** An archive with a Java that writes its process id to `mark` the first time and then hangs. */
function javaArchive(t: Test, mark: string): Buffer {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'jre/bin'), { recursive: true });
  const program = `#!/bin/sh\n[ -e ${mark} ] || { echo $$ > ${mark}; exec sleep 60; }\necho 'openjdk version "17.0.15"'\n`;
  writeFileSync(path.join(folder, 'jre/bin/java'), program);
  chmodSync(path.join(folder, 'jre/bin/java'), 0o755);
  execFileSync('tar', ['-czf', path.join(folder, 'jre.tar.gz'), '-C', folder, 'jre']);
  return readFileSync(path.join(folder, 'jre.tar.gz'));
}

/**
 * Adoptium (api.adoptium.net/swagger-ui, "GET /v3/assets/latest/{feature_version}/{jvm_impl}"), with support for ranges. Stalls in the
 * middle of the first answer.
 */
async function serve(t: Test, java: Buffer) {
  const ranges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    if (request.url!.startsWith('/v3/')) {
      const file = { link: `${base}/jre.tar.gz`, size: java.length, checksum: hash('sha256', java) };
      response.end(JSON.stringify([{ release_name: 'jdk-17.0.15+6', binary: { image_type: 'jre', package: file } }]));
      return;
    }
    const { range } = request.headers;
    ranges.push(range);
    const from = Number(/bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, { etag: '"one"', 'content-length': java.length - from });
    if (from > 0) response.end(java.subarray(from));
    else response.write(java.subarray(0, FIRST_BYTES));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base, ranges };
}

t.test('an installation of Java resumes after a kill and leaves no leftovers', async (t) => {
  const mark = path.join(temporaryFolder(t), 'probing');
  const java = javaArchive(t, mark);
  const { base, ranges } = await serve(t, java);
  const { home, daemon } = await setup(t);
  daemon.settings.vendors = { adoptium: base };
  const config = instanceConfig(home, 'survival', { software: 'custom', javaVersion: '17' });
  daemon.instances.set('survival', { config, runtime: { phase: 'provisioning' }, socket: null });
  const install = async ({ call }: Awaited<ReturnType<typeof startProcess>>) => {
    for await (const step of call.provision('survival')) if ('done' in step) return step.done.java;
    return undefined;
  };

  const first = await startProcess(t, home);
  const cut = t.rejects(install(first));
  const partial = path.join(home.cache, 'downloads', `sha256-${hash('sha256', java)}.partial`);
  await until('a part is downloaded', () => statSync(partial, { throwIfNoEntry: false })?.size === FIRST_BYTES);
  await killProcess(first);
  await cut;

  const second = await startProcess(t, home);
  const cutAgain = t.rejects(install(second));
  await until('it is unpacked and probed', () => existsSync(mark) && readFileSync(mark, 'utf8').endsWith('\n'));
  await killProcess(second);
  await cutAgain;
  process.kill(Number(readFileSync(mark, 'utf8')), 'SIGKILL');
  t.same(ranges, [undefined, `bytes=${FIRST_BYTES}-`]);
  t.match(readdirSync(home.runtimes), [/^\.java-17-/], 'the kill left a temporary folder');

  const third = await startProcess(t, home);
  t.same(readdirSync(home.runtimes), []);
  t.equal(await install(third), path.join(home.runtimes, 'java-17/bin/java'));
  t.equal(ranges.length, 2, 'the archive was already downloaded');
  t.same(readdirSync(path.join(home.cache, 'downloads')), [], 'the archive is removed');
});
