/**
 * Without credentials, only the files of the panel and the pages are served; no address leads to another file (CVE-2025-49132 of the Panel,
 * exploited: `/locales/locale.json?locale=../../..&namespace=...` read and ran files without signing in).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { rawRequest } from '../support/http/raw-request.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const CANARY = 'canary of a file';

const gamekeeper = await startGamekeeper(t);
const { panel, remote } = gamekeeper.addresses();
mkdirSync(path.join(gamekeeper.home, 'ui'));
for (const name of ['canary.txt', 'ui/canary.txt', 'run/canary.txt'])
  writeFileSync(path.join(gamekeeper.home, name), CANARY);

const UPS = [
  '..',
  '%2e%2e',
  '.%2e',
  '%252e%252e',
  '%c0%ae%c0%ae',
  '..%00',
  '....',
  '..;',
  '%2e%2e%5c',
  '..\\',
  '%u002e%u002e',
];
const SLASHES = ['/', '%2f', '%252f', '\\', '%5c', '//', '/./'];
const TARGETS = [
  'etc/passwd',
  'package.json',
  'canary.txt',
  `${gamekeeper.home.slice(1)}/gamekeeper.db`,
  'proc/self/environ',
];
const BASES = ['/ui/', '/ui/assets/', '/docs/', '/', '/openapi.json/', '/api/', '/api/v1/'];

t.test('no path leads out of the served folders', async (t) => {
  const wrong: string[] = [];
  for (const url of [panel, remote]) {
    const port = Number(new URL(url).port);
    for (const base of BASES) {
      const paths = UPS.flatMap((up) =>
        SLASHES.flatMap((slash) => TARGETS.map((file) => base + (up + slash).repeat(12) + file)),
      );
      paths.push(
        ...TARGETS.flatMap((file) => [
          `${base}/${file}`,
          `${base}%2f${file}`,
          `${base}file:///${file}`,
          `${base}${file}%00.js`,
        ]),
      );
      // On one connection, as scanners do.
      const bytes = paths.map((where) => `GET ${where} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`).join('');
      const answers = await rawRequest(t, port, bytes, { answers: paths.length });
      for (const [n, { statusCode, headers, body }] of answers.entries())
        if (statusCode >= 500 || body.includes(CANARY) || /root:|"dependencies"|SQLite format|GAMEKEEPER_/.test(body))
          wrong.push(`${paths[n]}: ${statusCode} ${headers['content-type']}`);
      t.ok(answers.length > 0);
    }
  }
  t.same(wrong, []);
});

t.test('no query or header selects a file', async (t) => {
  const where = [
    '/locales/locale.json?locale=../../../../../../etc&namespace=passwd',
    '/ui/?file=../../../../etc/passwd',
    '/docs?page=../../../../etc/passwd',
    '/docs/errors?code=../../../../etc/passwd',
    '/openapi.json?file=/etc/passwd',
    '/ui/index.html/../../canary.txt',
  ];
  for (const one of where)
    for (const headers of [
      {},
      { 'x-original-url': '/canary.txt' },
      { 'x-rewrite-url': '/../canary.txt' },
      { accept: '../../canary.txt' },
    ]) {
      const response = await fetch(new URL(one, panel), { headers });
      const text = await response.text();
      t.notMatch(text, /root:x|canary of/, one);
      t.ok(response.status < 500, one);
    }
});

t.test('folders are not listed and hidden files are not served', async (t) => {
  for (const one of [
    '/ui/assets/',
    '/ui/assets',
    '/ui/.git/config',
    '/ui/.env',
    '/.well-known/',
    '/ui/../package.json',
    '/ui/index.html~',
  ]) {
    const response = await fetch(new URL(one, panel));
    t.notMatch(await response.text(), /Index of|"dependencies"|\[core\]/, one);
  }
});
