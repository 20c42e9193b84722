import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { ERRORS } from '../../../shared/errors/catalogue.ts';
import { operationsOf } from '../../support/openapi/described-operations.ts';
import { build } from '../../support/processes/gateway-app.ts';

t.test('/docs shows every operation once, by tag, with a curl command', async (t) => {
  const { app, listener } = await build(t);
  const all = operationsOf((await app.inject('/openapi.json')).json());
  for (const one of [app, await listener({ families: ['daemon', 'session'] })]) {
    const { body } = await one.inject('/docs');
    for (const { path, name, operation } of all) {
      const described = body.split(`<details id="${operation.operationId}">`).length - 1;
      t.equal(described, path.startsWith('/api/v1/') ? 0 : 1, name);
      for (const tag of operation.tags)
        t.match(body, `<h2 id="tag-${tag.toLowerCase().replace(/\W/g, '-')}">${tag}</h2>`);
    }
    const anchors = new Set([...body.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
    for (const [, target = ''] of body.matchAll(/href="#([^"]+)"/g)) t.ok(anchors.has(target), `#${target} exists`);
  }
});

t.test('the curl commands of /docs are valid shell', async (t) => {
  const { app } = await build(t);
  const { body } = await app.inject('/docs');
  const commands = [...body.matchAll(/<pre>(curl [^<]+)<\/pre>/g)].map(([, text = '']) => unescaped(text));
  t.ok(commands.length > 40);
  await promisify(execFile)('sh', ['-n', '-c', commands.join('\n')]);
  t.ok(commands.includes('curl -sS http://127.0.0.1:25580/health'));
  for (const part of [
    `-d '{"name":"Demo","software":"demo","memoryMb":1024}'`,
    `-X PUT -b cookies.txt -H 'Origin: http://127.0.0.1:25580'`,
    '-c cookies.txt',
    `'http://127.0.0.1:25580/instances/demo/logs?contains=joined'`,
  ])
    t.ok(
      commands.some((command) => command.includes(part)),
      part,
    );
});

t.test('/docs/errors has a heading for every code, which the type of an error links to', async (t) => {
  const { app } = await build(t);
  const { body } = await app.inject('/docs/errors');
  for (const [code, { title, resolution }] of Object.entries(ERRORS)) {
    const [section] = body.split(`<section id="${code}">`).slice(1);
    t.match(section, new RegExp(`^<h2>.*${code}.*</h2>`), code);
    t.match(unescaped(section ?? ''), title);
    t.ok(unescaped(section ?? '').includes(resolution), resolution);
  }
  const { type } = (await app.inject('/instances')).json();
  t.match(new URL(type), { pathname: '/docs/errors', hash: '#unauthenticated' });
});

function unescaped(html: string): string {
  return html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
