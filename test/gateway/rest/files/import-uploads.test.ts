import t, { type Test } from 'tap';
import { build } from '../../../support/processes/gateway-app.ts';

const HOUR = 60 * 60 * 1_000;
const UPLOADS = '/instances/import/uploads';

async function world(t: Test) {
  const { app, bearer, clock } = await build(t);
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    clock,
    async ask(method: string, url: string, headers: Record<string, string> = {}): Promise<Response> {
      const all = { ...(await bearer()), 'tus-resumable': '1.0.0', connection: 'close', ...headers };
      return fetch(new URL(url, base), { method, headers: all });
    },
    async dryRun(upload: string): Promise<number> {
      const payload = { upload, dryRun: true };
      const request = { method: 'POST', url: '/instances/import', headers: await bearer(), payload } as const;
      return (await app.inject(request)).statusCode;
    },
  };
}

t.test('an archive can be asked for until a day after its last use, not after its beginning', async (t) => {
  const { ask, dryRun, clock } = await world(t);
  clock.ahead = -25 * HOUR;
  const begun = await ask('POST', `${UPLOADS}?name=survival.zip`, { 'upload-length': '0' });
  t.equal(begun.status, 201);
  const url = begun.headers.get('location') ?? '';
  clock.ahead = -2 * HOUR;
  t.equal(await dryRun(url.split('/').at(-1) ?? ''), 200);
  clock.ahead = 0;
  const asked = await ask('HEAD', url);
  t.equal(asked.status, 200);
  t.equal(asked.headers.get('upload-offset'), '0');
  clock.ahead = 23 * HOUR;
  t.equal((await ask('HEAD', url)).status, 404);
});
