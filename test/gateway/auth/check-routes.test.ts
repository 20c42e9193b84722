import { fastify } from 'fastify';
import t from 'tap';
import { checkRoutes } from '../../../gateway/auth/check-routes.ts';
import { needs, type Operation, PAGE } from '../../../gateway/http/operation.ts';
import type { Api } from '../../../gateway/http/zod-provider.ts';

const operation: Operation = { id: 'test', summary: 'Test', tag: 'Instances', access: needs('servers:read') };
const handler = () => 'answer';

function app(): Api {
  const app = fastify() as unknown as Api;
  t.teardown(() => app.close());
  checkRoutes(app);
  return app;
}

t.test('a route whose instance the access check would not see cannot be declared', (t) => {
  for (const url of [
    '/instances/:instanceId',
    '/instances/:instance/logs',
    '/api/instances/:name/start',
    '/instances/:id(^\\d+$)',
    '/instances/:id-:part',
    '/instances/:id.zip',
    '/instances/*',
    '/Instances/:key',
    '/servers/:serverId',
    '/logs/:instance',
  ])
    t.throws(() => app().get(url, { config: { operation } }, handler), /must name its instance/, url);
  t.end();
});

t.test('a route without an operation, which nothing would check, cannot be declared', (t) => {
  t.throws(() => app().get('/secrets', handler), /must declare/);
  t.throws(() => app().get('/secrets', { config: { operation, ...PAGE.config } }, handler), /must declare/);
  t.end();
});

t.test('the usual routes can be declared, also below a prefix', async (t) => {
  const one = app();
  for (const url of [
    '/instances',
    '/instances/:id',
    '/instances/:id/backups/:backupId',
    '/instances/import',
    '/tokens/:id',
  ])
    one.get(url, { config: { operation } }, handler);
  one.get('/docs', PAGE, handler);
  await one.register(async (inner) => inner.get('/instances/:id', { config: { operation } }, handler), {
    prefix: '/api',
  });
  const below = async () => {
    const declare = async (inner: typeof one) => void inner.get('/:instanceId', { config: { operation } }, handler);
    await one.register((inner) => declare(inner as typeof one), { prefix: '/instances' });
  };
  await t.rejects(below(), /must name its instance/);
});
