/** The rules of `gateway/openapi/house-rules.ts`, one by one, over a real connection. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import type { ErrorCode } from '../../shared/errors/catalogue.ts';
import { isProblem } from '../support/http/problem.ts';
import { type RawAnswer, rawRequest } from '../support/http/raw-request.ts';
import { build, type World } from '../support/processes/gateway-app.ts';

interface Line extends World {
  /** Sends one request with Host and an unrestricted token, on a connection that is closed afterwards. */
  ask(start: string, headers?: Record<string, string>, body?: string | Buffer): Promise<RawAnswer>;
  port: number;
  authorization: string;
}

async function line(t: Test): Promise<Line> {
  const world = await build(t);
  await world.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = world.app.server.address() as AddressInfo;
  const { authorization } = await world.bearer();
  return {
    ...world,
    port,
    authorization,
    async ask(start, headers = {}, body = '') {
      const all = { host: '127.0.0.1', authorization, connection: 'close', ...headers };
      const fields = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      const bytes = Buffer.concat([Buffer.from(`${start} HTTP/1.1\r\n${fields.join('')}\r\n`), Buffer.from(body)]);
      const [answer] = await rawRequest(t, port, bytes);
      if (!answer) throw new Error(`no answer to ${start}`);
      return answer;
    },
  };
}

const json = (body: string | Buffer, type = 'application/json') => ({
  'content-type': type,
  'content-length': String(Buffer.byteLength(body)),
});

t.test('a body is JSON in UTF-8, or absent', async (t) => {
  const { ask, jobs } = await line(t);
  const post = (body: string | Buffer, headers: Record<string, string>) =>
    ask('POST /instances/demo/backup', headers, body);
  const refused: [name: string, code: ErrorCode, body: string | Buffer, headers: Record<string, string>][] = [
    ['malformed JSON', 'invalid_request', '{"cloudReplicate":', json('{"cloudReplicate":')],
    ['null', 'invalid_request', 'null', json('null')],
    ['a list', 'invalid_request', '[]', json('[]')],
    ['bytes that are no UTF-8', 'invalid_request', Buffer.from('7b22ff227d', 'hex'), json('12345')],
    ['a prototype', 'invalid_request', '{"__proto__":{}}', json('{"__proto__":{}}')],
    ['a constructor', 'invalid_request', '{"constructor":{"prototype":{}}}', json('{"constructor":{"prototype":{}}}')],
    ['another charset', 'unsupported_media_type', '{}', json('{}', 'application/json; charset=iso-8859-1')],
    ['another parameter', 'unsupported_media_type', '{}', json('{}', 'application/json; version=2')],
    ['a merge patch', 'unsupported_media_type', '{}', json('{}', 'application/merge-patch+json')],
    ['no media type', 'unsupported_media_type', '{}', json('{}', 'nonsense')],
    ['no type at all', 'unsupported_media_type', '{}', { 'content-length': '2' }],
    ['compressed', 'unsupported_media_type', '{}', { ...json('{}'), 'content-encoding': 'gzip' }],
    ['too large', 'body_too_large', '', { 'content-type': 'application/json', 'content-length': '1048577' }],
  ];
  for (const [name, code, body, headers] of refused) isProblem(t, await post(body, headers), code, name);
  t.equal(jobs.started.length, 0);

  const chunked = { 'transfer-encoding': 'chunked' };
  const accepted: [name: string, body: string, headers: Record<string, string>][] = [
    ['nothing', '', {}],
    ['nothing, said to be JSON', '', { 'content-type': 'application/json' }],
    ['nothing, said to be a form', '', { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }],
    ['nothing in chunks', '0\r\n\r\n', chunked],
    ['nothing in chunks, said to be text', '0\r\n\r\n', { ...chunked, 'content-type': 'text/plain' }],
    ['a charset', '{}', json('{}', 'Application/JSON;charset="UTF-8"')],
    ['a byte order mark', '\ufeff{}', json('\ufeff{}')],
    ['not encoded', '{}', { ...json('{}'), 'content-encoding': 'identity' }],
    ['in chunks', '2\r\n{}\r\n0\r\n\r\n', { ...chunked, 'content-type': 'application/json' }],
    ['an expectation', '{}', { ...json('{}'), expect: '100-continue' }],
  ];
  for (const [name, body, headers] of accepted) t.equal((await post(body, headers)).statusCode, 200, name);
});

t.test('GET ignores a body, and other operations without a body still check its form', async (t) => {
  const { ask } = await line(t);
  t.equal((await ask('GET /instances', json('hi', 'text/plain'), 'hi')).statusCode, 200);
  t.equal((await ask('POST /instances/demo/kill', json('{}'), '{}')).statusCode, 200);
  isProblem(t, await ask('POST /instances/demo/kill', json('hi', 'text/plain'), 'hi'), 'unsupported_media_type');
  isProblem(t, await ask('DELETE /instances/demo', json('{'), '{'), 'invalid_request');
});

t.test('requests without credentials have small bodies', async (t) => {
  const { ask } = await line(t);
  for (const path of ['/api/login', '/api/logout']) {
    const long = JSON.stringify({ username: 'admin', password: 'x'.repeat(17_000) });
    const answer = await ask(`POST ${path}`, { ...json(long), authorization: '' }, long);
    isProblem(t, answer, 'body_too_large', path);
    t.match(answer.json(), { detail: /16 KiB/, resolution: /16 KiB/ });
  }
});

t.test('paths are matched exactly: case, slashes, escapes', async (t) => {
  const { ask } = await line(t);
  for (const path of [
    '/instances',
    '/%69nstances',
    '/instances?',
    '/instances?unknown=1&unknown=2',
    '/instances?__proto__=1',
  ])
    t.equal((await ask(`GET ${path}`)).statusCode, 200, path);
  t.match((await ask('GET /instances/%64emo')).json(), { id: 'demo' }, 'an escaped id');
  for (const path of ['/Instances', '/instances/', '//instances', '/instances/../health', '/health;x=1'])
    isProblem(t, await ask(`GET ${path}`), 'route_not_found', path);
  t.match((await ask('GET /health/')).json(), { resolution: 'Remove the slash at the end.' });
  isProblem(t, await ask('GET /%zz'), 'invalid_request');
  isProblem(t, await ask('GET /instances/%ff'), 'invalid_request');
  for (const id of ['a%2Fb', '..%2F..', 'a%00b', '%F0%9F%98%80', '__proto__', 'constructor', 'x'.repeat(8_000)])
    for (const suffix of ['', '/logs', '/tunnel']) {
      const answer = await ask(`GET /instances/${id}${suffix}`);
      isProblem(t, answer, 'instance_not_found', `${id.slice(0, 20)}${suffix}`);
      t.ok(answer.body.length < 600, 'the long id is not repeated');
    }
  isProblem(t, await ask(`GET /${'x'.repeat(17_000)}`), 'headers_too_large');
});

t.test('a repeated query parameter is 400', async (t) => {
  const { ask } = await line(t);
  for (const query of ['lines=1&lines=2', 'lines[]=1', 'lines=', 'lines=+1', 'lines=%zz', 'contains=a&contains=b']) {
    const answer = await ask(`GET /instances/demo/logs?${query}`);
    if (query === 'lines[]=1') t.equal(answer.statusCode, 200, 'an unknown parameter name is ignored');
    else isProblem(t, answer, 'invalid_request', query);
  }
});

t.test('HEAD works wherever GET does, without a body', async (t) => {
  const { ask, app, authorization } = await line(t);
  for (const path of [
    '/health',
    '/instances',
    '/instances/demo/logs',
    '/metrics',
    '/openapi.json',
    '/events',
    '/docs',
  ]) {
    const answer = await ask(`HEAD ${path}`);
    t.equal(answer.statusCode, 200, path);
    t.equal(answer.body, '');
  }
  const missing = await ask('HEAD /instances/none');
  t.match(missing, { statusCode: 404, body: '', headers: { 'content-type': 'application/problem+json' } });
  const { headers } = await app.inject({ url: '/instances', headers: { authorization } });
  t.equal((await ask('HEAD /instances')).headers['content-length'], headers['content-length']);
});

t.test('another method is 405 with Allow, before the body is read', async (t) => {
  const { ask, port } = await line(t);
  for (const method of ['OPTIONS', 'TRACE', 'PUT', 'PROPFIND', 'QUERY', 'POST']) {
    const answer = await ask(`${method} /health`, json('hi', 'text/plain'), 'hi');
    isProblem(t, answer, 'method_not_allowed', method);
    t.equal(answer.headers.allow, 'GET, HEAD');
  }
  isProblem(t, await ask('POST /nothing', json('hi', 'text/plain'), 'hi'), 'route_not_found');
  isProblem(t, await ask('OPTIONS *'), 'route_not_found');
  const [connected] = await rawRequest(t, port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
  isProblem(t, connected!, 'invalid_request', 'CONNECT');
});

t.test('answers are JSON, whatever Accept says', async (t) => {
  const { ask } = await line(t);
  for (const accept of ['*/*', 'application/json', 'text/html', 'nonsense']) {
    const { statusCode, headers } = await ask('GET /instances', { accept });
    t.match(
      { statusCode, type: headers['content-type'] },
      { statusCode: 200, type: 'application/json; charset=utf-8' },
    );
  }
});

t.test('long work answers at once with its job for Prefer: respond-async', async (t) => {
  const { ask } = await line(t);
  for (const prefer of ['respond-async', 'wait=5, Respond-Async', 'respond-async; x=1']) {
    const answer = await ask('POST /instances/demo/backup', { prefer });
    t.match(answer.json(), { jobId: String, kind: 'backup' }, prefer);
    t.match(answer, { statusCode: 202, headers: { location: /^\/jobs\//, 'preference-applied': 'respond-async' } });
  }
  t.equal((await ask('POST /instances/demo/backup', { prefer: 'return=minimal' })).statusCode, 200);
});

t.test('bytes that are no request get an ErrorResponse, and the connection is closed', async (t) => {
  const { port } = await line(t);
  const host = 'Host: 127.0.0.1\r\n';
  const chunked = `POST /api/login HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
  const cases: Record<string, [bytes: string, code: ErrorCode]> = {
    'no HTTP': ['hello\r\n\r\n', 'invalid_request'],
    'an unknown method': [`FETCH /health HTTP/1.1\r\n${host}\r\n`, 'invalid_request'],
    'another version': [`GET /health HTTP/3.0\r\n${host}\r\n`, 'invalid_request'],
    'HTTP/2 without asking': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'invalid_request'],
    TLS: ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'invalid_request'],
    'a name with a space': [`GET /health HTTP/1.1\r\n${host}B ad: x\r\n\r\n`, 'invalid_request'],
    'a NUL': [`GET /health HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`, 'invalid_request'],
    'a folded header': [`GET /health HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`, 'invalid_request'],
    'two lengths': [
      `POST /api/login HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\na`,
      'invalid_request',
    ],
    'a length and chunks': [`${chunked}Content-Length: 1\r\n\r\n0\r\n\r\n`, 'invalid_request'],
    'a bad chunk': [`${chunked}\r\nzz\r\n`, 'invalid_request'],
    'huge headers': [`GET /health HTTP/1.1\r\n${host}X: ${'y'.repeat(17_000)}\r\n\r\n`, 'headers_too_large'],
    'chunks that say too much': [`${chunked}\r\n1;${'e'.repeat(17_000)}\r\n1\r\n`, 'body_too_large'],
  };
  for (const [name, [bytes, code]] of Object.entries(cases)) {
    const [answer, ...more] = await rawRequest(t, port, bytes);
    isProblem(t, answer!, code, name);
    t.equal(answer!.headers.connection, 'close');
    t.equal(more.length, 0);
  }
});

t.test('a request that is not complete in time is 408', async (t) => {
  const { app, port } = await line(t);
  app.server.headersTimeout = 50;
  app.server.requestTimeout = 100;
  const head = 'POST /api/login HTTP/1.1\r\nHost: 127.0.0.1\r\n';
  const body = 'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{';
  const answers = await Promise.all([head, `${head}${body}`, ''].map((bytes) => rawRequest(t, port, bytes)));
  for (const [answer] of answers) isProblem(t, answer!, 'request_timeout');
});

t.test('an error is never written into an answer that has begun', async (t) => {
  const { port, authorization } = await line(t);
  const events = `GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n\r\n`;
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  t.teardown(() => socket.destroy());
  let text = '';
  socket.on('data', (chunk) => {
    if (text === '') socket.write('hello\r\n\r\n');
    text += chunk;
  });
  socket.write(events);
  await once(socket, 'close');
  t.match(text, /^HTTP\/1\.1 200 OK\r\n/);
  t.notMatch(text, /HTTP\/1\.1 400/);
});

t.test('pipelined requests are answered in order', async (t) => {
  const { port, authorization } = await line(t);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n\r\n`;
  const paths = ['/instances', '/health', '/nothing', '/instances/demo', '/instances/none', '/health'];
  const answers = await rawRequest(t, port, paths.map(get).join(''), { answers: paths.length });
  t.same(
    answers.map(({ statusCode }) => statusCode),
    [200, 200, 404, 200, 404, 200],
  );
  t.equal(new Set(answers.map(({ headers }) => headers['x-request-id'])).size, paths.length);
});

t.test('an accepted WebSocket carries x-request-id', async (t) => {
  const { port, authorization } = await line(t);
  const url = `ws://127.0.0.1:${port}/ws/instances/demo/console`;
  const socket = new WebSocket(url, { headers: { authorization, 'x-request-id': 'mine' } });
  t.teardown(() => socket.terminate());
  const [response] = (await once(socket, 'upgrade')) as [IncomingMessage];
  t.equal(response.headers['x-request-id'], 'mine');
});

t.test('a client that has half-closed its connection gets its answer', async (t) => {
  const { port } = await line(t);
  const request = 'GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  const [answer] = await rawRequest(t, port, request, { halfClose: true });
  t.equal(answer?.statusCode, 200);
  t.match(answer?.json(), { openapi: '3.1.0' });
});
