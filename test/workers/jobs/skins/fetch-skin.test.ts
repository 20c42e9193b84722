import t from 'tap';
import { fetchSkin } from '../../../../workers/jobs/skins/fetch-skin.ts';
import { type FakeMojang, profilePath, startFakeMojang } from './fake-mojang.ts';
import { skinPng } from './skin-png.ts';

const UUID = '069a79f4-44e9-4726-a5be-fca90e38aaf5';
const PAST = 'Wed, 21 Oct 2015 07:28:00 GMT';

function fetchFrom({ vendors }: FakeMojang, answerWithinMs = 10_000) {
  return fetchSkin(UUID, { vendors, answerWithinMs, signal: new AbortController().signal });
}

t.test('a skin is asked for by the UUID alone, and has the name of its texture', async (t) => {
  const mojang = await startFakeMojang(t);
  for (const height of [64, 32]) {
    const png = skinPng({ height });
    const texture = mojang.wear(UUID, png);
    t.same(await fetchFrom(mojang), { texture, png });
    t.same(mojang.requests.splice(0), [profilePath(UUID), `/texture/${texture}`]);
  }
});

t.test('a player without a skin, or whom Mojang does not know, has none', async (t) => {
  const mojang = await startFakeMojang(t);
  t.equal(await fetchFrom(mojang), undefined);
  const value = Buffer.from(JSON.stringify({ textures: {} })).toString('base64');
  mojang.profile(UUID, JSON.stringify({ properties: [{ name: 'textures', value }] }));
  t.equal(await fetchFrom(mojang), undefined);
  mojang.fault = (_, response) => Boolean(response.writeHead(404).end());
  t.equal(await fetchFrom(mojang), undefined);
});

t.test('an address of another host is not followed', async (t) => {
  const mojang = await startFakeMojang(t);
  const hash = 'a'.repeat(64);
  for (const url of [
    `${mojang.base}/texture/${hash}`,
    `http://textures.minecraft.net.example.net/texture/${hash}`,
    `http://textures.minecraft.net@127.0.0.1/texture/${hash}`,
    `http://textures.minecraft.net/texture/../${hash}`,
    `file:///texture/${hash}`,
  ]) {
    mojang.wear(UUID, skinPng(), url);
    t.equal(await fetchFrom(mojang), undefined, url);
  }
  t.same([...new Set(mojang.requests)], [profilePath(UUID)], 'no texture was asked for');
});

t.test('what is no profile, or no picture with the size of a skin, is no skin', async (t) => {
  const mojang = await startFakeMojang(t);
  for (const profile of ['', 'null', '[]', '{"properties":[]}', '{"properties":[{"name":"textures","value":"!"}]}']) {
    mojang.profile(UUID, profile);
    t.equal(await fetchFrom(mojang), undefined, profile);
  }
  const page = Buffer.from(`<script>alert(1)</script>${' '.repeat(64)}`);
  for (const png of [page, skinPng().subarray(0, 20), skinPng({ width: 65 }), skinPng({ height: 4_000 })]) {
    mojang.wear(UUID, png);
    t.equal(await fetchFrom(mojang), undefined, `${png.length} bytes`);
  }
});

t.test('a redirect, a huge answer and an error are failures, and are not repeated', async (t) => {
  const mojang = await startFakeMojang(t);
  const texture = mojang.wear(UUID, skinPng());
  const faults: { detail: RegExp; fault: FakeMojang['fault'] }[] = [
    {
      detail: /redirected/,
      fault: (path, response) =>
        path !== '/elsewhere' && Boolean(response.writeHead(302, { location: '/elsewhere' }).end()),
    },
    { detail: /sent more than 16384 bytes/, fault: (_, response) => Boolean(response.end('x'.repeat(20_000))) },
    { detail: /status 429\.$/, fault: (_, response) => Boolean(response.writeHead(429).end()) },
    { detail: /status 429\.$/, fault: (_, response) => Boolean(response.writeHead(429, { 'retry-after': '0' }).end()) },
    {
      detail: /status 503\.$/,
      fault: (_, response) => Boolean(response.writeHead(503, { 'retry-after': PAST }).end()),
    },
    { detail: /could not be reached/, fault: (_, response) => Boolean(response.destroy()) },
    {
      detail: /sent more than 24576 bytes/,
      fault: (path, response) => path === `/texture/${texture}` && Boolean(response.end('x'.repeat(30_000))),
    },
  ];
  for (const { detail, fault } of faults) {
    mojang.fault = fault;
    mojang.requests.length = 0;
    await t.rejects(fetchFrom(mojang), { code: 'vendor_unavailable', message: detail });
    t.equal(new Set(mojang.requests).size, mojang.requests.length, 'each was asked for once');
    t.notOk(mojang.requests.includes('/elsewhere'));
  }
});

t.test('says how long Mojang asks to wait', async (t) => {
  const mojang = await startFakeMojang(t);
  mojang.fault = (_, response) => Boolean(response.writeHead(429, { 'retry-after': '600' }).end());
  await t.rejects(fetchFrom(mojang), { message: /status 429 and asks to wait 600 s/, retryAfterSeconds: 600 });
});

t.test('an answer that never ends is given up', async (t) => {
  const mojang = await startFakeMojang(t);
  mojang.fault = (_, response) => {
    response.writeHead(200).write('{');
    return true;
  };
  await t.rejects(fetchFrom(mojang, 100), { code: 'vendor_unavailable', message: /in time/ });
});
