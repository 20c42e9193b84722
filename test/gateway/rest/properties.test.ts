import t from 'tap';
import { build } from '../../support/gateway-app.ts';
import { isProblem } from '../../support/problem.ts';

for (const base of ['/instances/demo', '/api/v1/instances/demo', '/api/instances/demo'])
  t.test(`${base}/properties is versioned`, async (t) => {
    const { app, bearer } = await build(t);
    const url = `${base}/properties`;
    const headers = await bearer();
    const read = await app.inject({ url, headers });
    t.same(read.json(), { properties: { 'server-port': '25565' } });
    t.match(read.headers.etag, /^"[^"]+"$/);
    const put = (ifMatch: string | undefined, motd: string) =>
      app.inject({
        method: 'PUT',
        url,
        headers: { ...headers, ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
        payload: { properties: { motd } },
      });

    const first = await put(String(read.headers.etag), 'one');
    t.equal(first.statusCode, 200);
    t.same(first.json(), { properties: { 'server-port': '25565', motd: 'one' } });
    t.not(first.headers.etag, read.headers.etag);
    isProblem(t, await put(String(read.headers.etag), 'two'), 'precondition_failed');
    isProblem(t, await put(`W/${String(first.headers.etag)}`, 'two'), 'precondition_failed', 'weak tags match nothing');
    t.equal((await put(`"other", ${String(first.headers.etag)}`, 'two')).statusCode, 200, 'one of several');
    t.equal((await put('*', 'three')).statusCode, 200, 'any');
    t.equal((await put(undefined, 'four')).statusCode, 200, 'without a condition');
  });
