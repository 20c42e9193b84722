import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import * as z from 'zod';
import { type Download, download } from '../../../../workers/jobs/vendors/download.ts';
import { fetchJson, fetchText } from '../../../../workers/jobs/vendors/vendor.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';

const CONTENT = Buffer.from('bytes of a program '.repeat(20_000));
const DIGEST = { algorithm: 'sha256', hex: createHash('sha256').update(CONTENT).digest('hex') } as const;

type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => void;

async function serve(t: Test, answer: Answer) {
  let count = 0;
  const heard: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers);
    answer(request, response, ++count);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { heard, vendor: { name: 'paper', base, contact: undefined } as const };
}

/** Sends the whole file, or the requested range if the ETag matches. */
function ranged(request: IncomingMessage, response: ServerResponse, etag: string): Buffer {
  const from = request.headers['if-range'] === etag ? Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1]) : 0;
  const rest = CONTENT.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, { etag, 'content-length': rest.length });
  return rest;
}

/** Sends a part and closes the connection once some of it is on disk: unread bytes are lost with the connection. */
async function breakOff(response: ServerResponse, part: Buffer, partial: string): Promise<void> {
  const size = () => statSync(partial, { throwIfNoEntry: false })?.size ?? 0;
  const before = response.statusCode === 206 ? size() : 0;
  response.write(part);
  await until('a part is downloaded', () => size() > before);
  response.destroy();
}

async function run(wanted: Download): Promise<{ lines: string[]; sha256: string }> {
  const lines: string[] = [];
  const steps = download(wanted, AbortSignal.timeout(120_000));
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return { lines, sha256: value };
    lines.push(value.progress);
  }
}

t.test('an interrupted download resumes', async (t) => {
  const file = path.join(temporaryFolder(t), 'x.jar');
  const { vendor, heard } = await serve(t, (request, response, count) => {
    const rest = ranged(request, response, '"one"');
    if (count > 2) response.end(rest);
    else void breakOff(response, rest.subarray(0, 100_000), `${file}.partial`);
  });
  const { lines, sha256 } = await run({ vendor, url: `${vendor.base}/x`, file, digest: DIGEST, title: 'X' });
  t.ok(readFileSync(file).equals(CONTENT));
  t.equal(sha256, DIGEST.hex);
  t.match(heard[1], { range: /^bytes=\d+-$/, 'if-range': '"one"' });
  t.ok(lines.includes('Resuming the download of X.'));
  t.same(readdirSync(path.dirname(file)), ['x.jar'], 'no partial file is left');
});

t.test('a later request resumes it, too, unless the file has changed', async (t) => {
  const folder = temporaryFolder(t);
  let etag = '"one"';
  let isWell = false;
  const { vendor, heard } = await serve(t, (request, response) => {
    const rest = ranged(request, response, etag);
    if (isWell) response.end(rest);
    else if (request.headers.range === undefined)
      void breakOff(response, rest.subarray(0, 100_000), path.join(folder, `${request.url!.slice(1)}.partial`));
    else response.destroy();
  });
  for (const [name, next] of [
    ['same', '"one"'],
    ['changed', '"two"'],
  ] as const) {
    const wanted = { vendor, url: `${vendor.base}/${name}`, file: path.join(folder, name), digest: DIGEST, title: 'X' };
    etag = '"one"';
    isWell = false;
    await t.rejects(run(wanted), { code: 'vendor_unavailable' });
    etag = next;
    isWell = true;
    await run(wanted);
    t.ok(readFileSync(wanted.file).equals(CONTENT), name);
    t.match(heard.at(-1), { 'if-range': '"one"' });
  }
});

t.test('a download that was killed at its end is finished without a request if its size is known', async (t) => {
  const file = path.join(temporaryFolder(t), 'x.jar');
  const { vendor, heard } = await serve(t, (_request, response) => response.writeHead(416).end());
  const wanted = { vendor, url: `${vendor.base}/x`, file, digest: DIGEST, bytes: CONTENT.length, title: 'X' };
  leave(wanted, CONTENT);
  t.equal((await run(wanted)).sha256, DIGEST.hex);
  t.same(heard, []);
  t.same(readdirSync(path.dirname(file)), ['x.jar']);
});

t.test('a download starts over if the server has no such range', async (t) => {
  const { vendor, heard } = await serve(t, (request, response) => {
    if (request.headers.range === undefined) response.writeHead(200, { etag: '"one"' }).end(CONTENT);
    else response.writeHead(416, { 'content-range': `bytes */${CONTENT.length}` }).end();
  });
  const file = path.join(temporaryFolder(t), 'x.jar');
  const wanted = { vendor, url: `${vendor.base}/x`, file, digest: DIGEST, title: 'X' };
  leave(wanted, Buffer.alloc(CONTENT.length));
  await run(wanted);
  t.ok(readFileSync(file).equals(CONTENT));
  t.same(
    heard.map(({ range }) => range),
    [`bytes=${CONTENT.length}-`, undefined],
  );
  t.same(readdirSync(path.dirname(file)), ['x.jar']);
});

/** Creates what a killed process leaves of a download. */
function leave({ file, url }: Download, content: Buffer): void {
  writeFileSync(`${file}.partial`, content);
  writeFileSync(`${file}.partial.json`, JSON.stringify({ url, validator: '"one"' }));
}

t.test('rate limits and temporary failures are retried after the time that the vendor asks for', async (t) => {
  const { vendor } = await serve(t, (_request, response, count) => {
    if (count === 1) response.writeHead(429, { 'retry-after': '1' }).end();
    else if (count === 2) response.writeHead(503).end();
    else response.end('at last');
  });
  const begun = performance.now();
  t.equal(await fetchText({ vendor, url: `${vendor.base}/x` }, AbortSignal.timeout(120_000)), 'at last');
  t.ok(performance.now() - begun >= 1000);
});

t.test('a byte order mark is no part of a text', async (t) => {
  const { vendor } = await serve(t, (_request, response) => response.end('\ufeff{"latest":"1.21"}'));
  const schema = z.object({ latest: z.string() });
  const { value } = await fetchJson({ vendor, url: `${vendor.base}/x`, schema }, AbortSignal.timeout(120_000));
  t.same(value, { latest: '1.21' });
});

t.test('a redirect is followed only within the same host or to HTTPS', async (t) => {
  const other = await serve(t, (_request, response) => response.end('secret'));
  const { vendor } = await serve(t, (request, response) => {
    const to = { '/inside': '/good', '/outside': `${other.vendor.base}/x`, '/file': 'file:///etc/passwd' }[
      request.url!
    ];
    if (to) response.writeHead(302, { location: to }).end();
    else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end();
    else response.end('good');
  });
  const get = (name: string) => fetchText({ vendor, url: vendor.base + name }, AbortSignal.timeout(120_000));
  t.equal(await get('/inside'), 'good');
  for (const name of ['/outside', '/file', '/round']) await t.rejects(get(name), { code: 'vendor_unavailable' }, name);
  t.same(other.heard, [], 'the other store was not asked');
});
