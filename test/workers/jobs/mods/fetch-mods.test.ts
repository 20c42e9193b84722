import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import t from 'tap';
import { until } from '../../../support/machine/until.ts';
import { modWorld, needs } from './mod-world.ts';

t.test('a file with the wrong hash is not installed, nor is anything planned with it', async (t) => {
  const { modrinth, jobs, install, files } = await modWorld(t);
  modrinth.add(
    { slug: 'forged', versions: [{ number: '1', sha512: 'a'.repeat(128), dependencies: needs('library') }] },
    { slug: 'shorter', versions: [{ number: '1', size: 1_000_000, dependencies: needs('library') }] },
    { slug: 'library', versions: [{ number: '1' }] },
  );
  for (const project of ['forged', 'shorter'])
    await t.rejects(install(project), { code: 'vendor_unavailable', message: /is damaged/ }, project);
  t.same(files(), []);
  t.ok(readdirSync(path.join(jobs.home.cache, 'downloads')).every((name) => !name.includes('a'.repeat(128))));
  t.match((await jobs.call.mods('survival')).mods, []);
  t.match((await jobs.call.jobs())[0], { kind: 'mods', state: 'failed', error: { code: 'vendor_unavailable' } });
});

t.test('an interrupted download resumes, and one that always fails changes nothing', async (t) => {
  const { modrinth, install, files } = await modWorld(t);
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }] });
  let left = Number.POSITIVE_INFINITY;
  modrinth.fault = ({ url = '' }, response) => {
    if (!url.startsWith('/data/') || left-- <= 0) return false;
    response.writeHead(200, { 'content-length': modrinth.jar('magic', '1').length }).write('PK');
    setImmediate(() => response.destroy());
    return true;
  };
  await t.rejects(install('magic'), { code: 'vendor_unavailable' });
  t.same(files(), []);
  left = 1;
  await install('magic');
  t.same(files(), ['magic-1.jar']);
});

t.test('Modrinth’s rate limit, failures, nonsense and unreachability become errors', async (t) => {
  const { modrinth, jobs, install, files } = await modWorld(t);
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }] });
  const host = new URL(modrinth.base).host;
  const answers = (status: number, headers = {}, body = '') => {
    modrinth.fault = (_, response: ServerResponse) => Boolean(response.writeHead(status, headers).end(body));
  };
  const search = () => jobs.call.searchMods({ instanceId: 'survival', query: '', offset: 0, limit: 1 });

  answers(429, { 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '42' });
  const limited = {
    code: 'vendor_unavailable',
    message: `${host} returned status 429 and asks to wait 42 s.`,
    retryAfterSeconds: 42,
  };
  await t.rejects(search(), limited);
  await t.rejects(install('magic'), limited);
  answers(200, {}, '<html>');
  await t.rejects(install('magic'), { message: `${host} sent a response that Gamekeeper does not understand.` });
  answers(503, { 'retry-after': '0' });
  await t.rejects(search(), { message: `${host} returned status 503.`, resolution: /vendors\.modrinth/ });

  let failures = 2;
  modrinth.fault = (_, response) =>
    failures-- > 0 && Boolean(response.writeHead(429, { 'x-ratelimit-reset': '0' }).end());
  t.match(await search(), { hits: [{ slug: 'magic' }] }, 'temporary failures are retried');
  await modrinth.close();
  await t.rejects(install('magic'), {
    code: 'vendor_unavailable',
    message: `${host} could not be reached (ECONNREFUSED).`,
  });
  t.same(files(), []);
  t.match(
    await jobs.call.mods('survival'),
    { folder: 'mods', loaders: ['fabric'], mods: [] },
    'listing needs no vendor',
  );
});

t.test('a change that is cancelled during the download changes nothing', async (t) => {
  const { modrinth, jobs, files, install } = await modWorld(t);
  modrinth.add(
    { slug: 'magic', versions: [{ number: '1', dependencies: needs('library') }] },
    { slug: 'library', versions: [{ number: '1' }] },
  );
  // Only the beginning of the second file is sent.
  modrinth.fault = ({ url = '' }, response) => {
    if (!url.includes('library')) return false;
    if (!url.startsWith('/data/')) return false;
    response.writeHead(200).write('PK');
    return true;
  };
  const job = await jobs.call.startModChange({
    instanceId: 'survival',
    order: { type: 'install', project: 'magic', dryRun: false },
  });
  await until('it downloads', async () => ((await jobs.call.job(job.jobId))?.bytesDone ?? 0) > 0);
  await jobs.call.cancel(job.jobId);
  await t.rejects(jobs.call.waitForJob(job.jobId), { code: 'invalid_state', message: 'The job was cancelled.' });
  t.match(await jobs.call.job(job.jobId), { state: 'cancelled', kind: 'mods' });
  t.equal(await jobs.call.modChanges(job.jobId), null);
  t.same(files(), []);
  modrinth.fault = () => false;
  await install('magic');
  t.same(files(), ['library-1.jar', 'magic-1.jar'], 'later changes are not blocked');
});

t.test('a mods folder that leads out of the instance is not written to', async (t) => {
  const { modrinth, jobs, install, folder } = await modWorld(t);
  modrinth.add({ slug: 'magic', versions: [{ number: '1' }] });
  const elsewhere = path.join(jobs.home.root, 'elsewhere');
  mkdirSync(elsewhere);
  mkdirSync(path.dirname(folder), { recursive: true });
  symlinkSync(elsewhere, folder);
  await t.rejects(install('magic'), { code: 'invalid_state', message: /is a link or a file/ });
  t.same(readdirSync(elsewhere), []);
});
