/**
 * Foreign, long, repeated and invalid Host headers are refused cheaply (CVE-2024-1064 of Crafty: a Host header that could not be parsed
 * crashed the server), as are names that an attacker points to this machine (DNS rebinding).
 */
import t from 'tap';
import { rawRequest } from '../support/http/raw-request.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';
import { watchedProcess } from '../support/processes/watched-process.ts';

const gamekeeper = await startGamekeeper(t);
const port = Number(new URL(gamekeeper.addresses().panel).port);
const token = await gamekeeper.token();

const send = async (head: string, target = '/instances') => {
  const bytes = `GET ${target} HTTP/1.1\r\n${head}Authorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
  const [answer] = await rawRequest(t, port, Buffer.from(bytes, 'latin1'));
  return answer;
};

t.test('accepts our own names and addresses', async (t) => {
  for (const host of [
    `127.0.0.1:${port}`,
    '127.0.0.1',
    'localhost',
    `LOCALHOST:${port}`,
    '[::1]',
    `[::1]:${port}`,
    '192.168.1.7',
  ])
    t.equal((await send(`Host: ${host}\r\n`))?.statusCode, 200, host);
});

t.test('refuses all others', async (t) => {
  const before = watchedProcess(gamekeeper, /gateway\/main/).pid;
  const hosts = [
    'evil.example',
    'evil.example:25580',
    `127.0.0.1.evil.example:${port}`,
    'localhost.evil.example',
    'localhost.',
    '127.0.0.1 evil.example',
    '127.0.0.1@evil.example',
    'evil.example#127.0.0.1',
    'evil.example/127.0.0.1',
    '127.0.0.1:99999999999999999999',
    '127.0.0.1:-1',
    '127.0.0.1:port',
    '[::1',
    '[::1]evil.example',
    '[fe80::1%eth0]',
    `[${':'.repeat(5_000)}]`,
    '0x7f000001',
    '127.1',
    '2130706433',
    '..',
    ':',
    ':80',
    '',
    '%31%32%37.0.0.1',
    '\xff\xfe',
    '*',
    "' OR 1=1 --",
    '{{7*7}}',
    'a'.repeat(8_000),
    'a.'.repeat(4_000),
  ];
  const began = performance.now();
  for (const host of hosts) {
    const answer = await send(`Host: ${host}\r\n`);
    t.ok([400, 403].includes(answer?.statusCode ?? 0), `${host.slice(0, 40)}: ${answer?.statusCode}`);
    t.notMatch(answer?.body, '"id"');
  }
  for (const head of ['', 'Host: 127.0.0.1\r\nHost: evil.example\r\n', 'Host: evil.example\r\nHost: 127.0.0.1\r\n'])
    t.ok([400, 403].includes((await send(head))?.statusCode ?? 0), JSON.stringify(head));
  t.equal(
    (await send('Host: 127.0.0.1\r\n', 'http://evil.example/instances'))?.statusCode,
    403,
    'in the request target',
  );
  t.equal(
    (await send('Host: 127.0.0.1\r\nX-Forwarded-Host: evil.example\r\n'))?.statusCode,
    200,
    'a forwarded host is ignored',
  );
  t.ok(performance.now() - began < 10_000, 'none of it takes long');
  t.equal(watchedProcess(gamekeeper, /gateway\/main/).pid, before, 'the gateway is still the same process');
});

t.test('no response contains a host from the request', async (t) => {
  for (const target of ['/', '/ui', '/docs', '/openapi.json', '/nowhere'])
    for (const head of [
      'Host: 198.51.100.7:1\r\n',
      'Host: 127.0.0.1\r\nX-Forwarded-Host: 198.51.100.7\r\nX-Forwarded-Proto: x\r\n',
    ]) {
      const answer = await send(head, target);
      t.notMatch(answer?.headers.location ?? '', '198.51.100.7', target);
      t.notMatch(answer?.body, '198.51.100.7', target);
    }
});

t.test('request ids cannot inject response headers', async (t) => {
  for (const id of ['a%0d%0aSet-Cookie: x=y', 'a\r\n b', 'a\tb', 'é', 'a'.repeat(65)]) {
    const answer = await send(`Host: 127.0.0.1\r\nX-Request-Id: ${id}\r\n`);
    t.notOk(answer?.headers['set-cookie']);
    t.match(answer?.headers['x-request-id'] ?? 'none', /^[\w.-]+$/);
  }
  const target = '/ui%0d%0aSet-Cookie:%20x=y';
  t.notOk((await send('Host: 127.0.0.1\r\n', target))?.headers['set-cookie']);
});
