import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { createLogger } from '../../../../shared/node/logger.ts';
import { settings as settingsSchema } from '../../../../shared/schema/settings.ts';
import { openSkinCache } from '../../../../workers/jobs/skins/skin-cache.ts';
import { createSkins } from '../../../../workers/jobs/skins/skins.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { profilePath, startFakeMojang } from './fake-mojang.ts';
import { skinPng } from './skin-png.ts';

const [ANNA, BEN] = ['069a79f4-44e9-4726-a5be-fca90e38aaf5', '853c80ef-3c37-49fd-aa49-938b674adae6'] as const;
const OFFLINE = 'a762f560-4fce-3236-812a-b80efff0414b';
const FLOODGATE = '00000000-0000-0000-0009-01f2c9a4d7e3';
/** Of any account. */
const OTHER = '-44e9-4726-a5be-fca90e38aaf5';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

async function world(t: Test, folder = path.join(temporaryFolder(t), 'skins')) {
  const mojang = await startFakeMojang(t);
  /** Milliseconds. `set`: how far somebody has put the wall clock forward. */
  const clock = { ahead: 0, set: 0 };
  const now = () => Date.now() + clock.ahead + clock.set;
  const settings = settingsSchema.parse({ players: { skins: true }, vendors: mojang.vendors });
  const ending = new AbortController();
  t.teardown(() => ending.abort());
  const open = async () =>
    createSkins({
      cache: await openSkinCache(folder, now),
      settings: async () => settings,
      now,
      ticks: () => performance.now() + clock.ahead,
      log: createLogger({ name: 'jobs', level: 'silent' }),
      signal: ending.signal,
    });
  const skins = await open();
  /** Asks until nothing is pending. */
  const settle = async (uuids: string[], { calls } = skins) => {
    let answer = await calls.skins(uuids);
    await until('the skins are there', async () => {
      answer = await calls.skins(uuids);
      return !answer.pending;
    });
    return answer.found;
  };
  return { mojang, clock, settings, folder, skins, open, settle };
}

t.test('skins are fetched in the background once, and stay over a restart', async (t) => {
  const { mojang, skins, open, settle, folder } = await world(t);
  const png = skinPng({ face: [200, 0, 0, 255] });
  const texture = mojang.wear(ANNA, png);
  t.same(await skins.calls.skins([ANNA]), { found: [], pending: true }, 'nobody waits for Mojang');
  t.same(await settle([ANNA.toUpperCase(), BEN]), [{ uuid: ANNA, texture }]);
  t.same(await skins.calls.skin(texture), png);
  t.equal(await skins.calls.skin('b'.repeat(64)), null);
  const asked = [profilePath(ANNA), `/texture/${texture}`, profilePath(BEN)];
  t.same(mojang.requests, asked);
  await until('the index is written', async () => existsSync(path.join(folder, 'players.json')));
  t.same(await settle([ANNA, BEN], await open()), [{ uuid: ANNA, texture }]);
  t.same(mojang.requests, asked, 'also that Ben has none is remembered');
});

t.test('nobody is asked about players in offline mode and of Bedrock, or about anything else', async (t) => {
  const { mojang, skins } = await world(t);
  const uuids = [OFFLINE, FLOODGATE, 'x', `${ANNA}/../..`, ''];
  t.same(await skins.calls.skins(uuids), { found: [], pending: false });
  t.same(mojang.requests, []);
});

t.test('an old answer is asked for again, and the old skin shown until then', async (t) => {
  const { mojang, clock, skins, settle, folder } = await world(t);
  const before = mojang.wear(ANNA, skinPng());
  await settle([ANNA]);
  const after = mojang.wear(ANNA, skinPng({ height: 32 }));
  clock.ahead = 2 * DAY_MS;
  t.same(await skins.calls.skins([ANNA]), { found: [{ uuid: ANNA, texture: before }], pending: false });
  clock.ahead = 4 * DAY_MS;
  t.same(await skins.calls.skins([ANNA]), { found: [{ uuid: ANNA, texture: before }], pending: true });
  t.same(await settle([ANNA]), [{ uuid: ANNA, texture: after }]);
  await until('the old skin is removed', async () => !readdirSync(folder).includes(`${before}.png`));
});

t.test('after a failure Mojang is left alone for a while, and the skins that are there are shown', async (t) => {
  const { mojang, clock, skins, settle } = await world(t);
  const texture = mojang.wear(ANNA, skinPng());
  await settle([ANNA]);
  mojang.wear(BEN, skinPng({ height: 32 }));
  mojang.requests.length = 0;
  mojang.fault = (_, response) => Boolean(response.writeHead(429).end());
  t.same(await settle([ANNA, BEN]), [{ uuid: ANNA, texture }]);
  t.same(mojang.requests, [profilePath(BEN)]);
  clock.ahead = MINUTE_MS / 2;
  t.same(await skins.calls.skins([BEN, '61699b2e-d327-4a01-9f1e-0ea8c3f06bc6']), { found: [], pending: false });
  t.same(mojang.requests, [profilePath(BEN)], 'nobody else is asked for either');
  mojang.fault = () => false;
  clock.ahead = 15 * MINUTE_MS;
  t.equal((await settle([ANNA, BEN])).length, 2, 'it is tried again later');
});

t.test('whoever finds the queue full asks again, and is not told that nothing more comes', async (t) => {
  const { mojang, skins } = await world(t);
  mojang.fault = () => true; // no answer
  const others = Array.from({ length: 10_000 }, (_, at) => `${at.toString(16).padStart(8, '0')}${OTHER}`);
  t.same(await skins.calls.skins(others), { found: [], pending: true });
  t.same(await skins.calls.skins([ANNA]), { found: [], pending: true });
});

t.test('a clock that is set does not change when Mojang is asked after a failure', async (t) => {
  const { mojang, clock, skins, settle } = await world(t);
  mojang.fault = (_, response) => Boolean(response.writeHead(503).end());
  await settle([ANNA]);
  clock.set = DAY_MS;
  t.same(await skins.calls.skins([ANNA]), { found: [], pending: false });
  clock.set = -DAY_MS;
  clock.ahead = 2 * MINUTE_MS;
  t.same(await skins.calls.skins([ANNA]), { found: [], pending: false }, 'it was asked for just now');
  t.same(await skins.calls.skins([BEN]), { found: [], pending: true });
});

t.test('an answer that came while the clock was far ahead is asked for again', async (t) => {
  const { mojang, clock, skins, settle } = await world(t);
  const texture = mojang.wear(ANNA, skinPng());
  clock.set = 365 * DAY_MS;
  await settle([ANNA]);
  clock.set = 0;
  t.same(await skins.calls.skins([ANNA]), { found: [{ uuid: ANNA, texture }], pending: true });
});

t.test('Mojang is left alone for as long as it asks', async (t) => {
  const { mojang, clock, skins, settle } = await world(t);
  mojang.fault = (_, response) => Boolean(response.writeHead(429, { 'retry-after': '1800' }).end());
  await settle([ANNA]);
  clock.ahead = 29 * MINUTE_MS;
  t.same(await skins.calls.skins([ANNA]), { found: [], pending: false });
  clock.ahead = 31 * MINUTE_MS;
  t.same(await skins.calls.skins([ANNA]), { found: [], pending: true });
});

t.test('whom nobody has looked at for long is forgotten when the cache is opened', async (t) => {
  const { mojang, clock, open, settle, folder } = await world(t);
  const texture = mojang.wear(ANNA, skinPng());
  await settle([ANNA]);
  await until('the index is written', async () => existsSync(path.join(folder, 'players.json')));
  clock.ahead = 32 * DAY_MS;
  await open();
  t.ok(readdirSync(folder).includes(`${texture}.png`));
  clock.ahead = 34 * DAY_MS;
  await open();
  t.same(readdirSync(folder), ['players.json']);
});

t.test('while it is not allowed nothing is asked, shown or kept', async (t) => {
  const { mojang, settings, skins, settle, folder } = await world(t);
  const texture = mojang.wear(ANNA, skinPng());
  await settle([ANNA]);
  settings.players.skins = false;
  t.same(await skins.calls.skins([ANNA, BEN]), { found: [], pending: false });
  t.equal(await skins.calls.skin(texture), null);
  await skins.clear();
  t.notOk(existsSync(folder));
  t.equal(mojang.requests.length, 2);
  settings.players.skins = true;
  t.same(await settle([ANNA]), [{ uuid: ANNA, texture }], 'it can be allowed again');
});

t.test('a request under way ends when it is no longer allowed', async (t) => {
  const { mojang, settings, skins, settle } = await world(t);
  mojang.wear(ANNA, skinPng());
  const ended = Promise.withResolvers<void>();
  mojang.fault = (_, response) => Boolean(response.once('close', () => ended.resolve()));
  await skins.calls.skins([ANNA]);
  await until('Mojang is asked', async () => mojang.requests.length > 0);
  settings.players.skins = false;
  await skins.clear();
  await ended.promise;
  settings.players.skins = true;
  mojang.fault = () => false;
  t.equal((await settle([ANNA])).length, 1, 'that was no failure of Mojang');
});
