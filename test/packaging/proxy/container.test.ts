/** The image of the proxy, built and run with podman. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { buildProxyImage, podman, requireContainers, startContainer } from '../../support/machine/containers.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { until } from '../../support/machine/until.ts';
import { PASSWORD } from '../../support/proxy/proxy-process.ts';

/** The first build on a machine downloads packages. */

t.test('the proxy runs in a container without privileges, and its data outlives the container', async (t) => {
  if (!requireContainers(t)) return;
  const image = await buildProxyImage(t);
  const volume = `gk-test-${randomUUID()}`;
  await podman('volume', 'create', volume);
  t.teardown(() => podman('volume', 'rm', '--force', volume));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const start = async () => {
    const variables = [`PORT=${port}`, 'HOST=127.0.0.1', `URL=${url}`];
    const env = variables.flatMap((variable) => ['--env', `GAMEKEEPER_PROXY_${variable}`]);
    const container = await startContainer(t, ['--volume', `${volume}:/data`, ...env], image);
    const isReady = () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ); // Nothing listens yet.
    await until('the proxy is ready', isReady, { deadlineMs: 60_000, describe: container.logs });
    return container;
  };

  const first = await start();
  await first.exec(['gamekeeper', 'proxy', 'user', 'add', 'anna', '--password-stdin'], PASSWORD);
  t.match(await (await fetch(url)).text(), /Sign in/);
  await first.check();
  t.match(await first.exec(['node', '--print', 'process.getuid() + process.env.HOME']), /^10001/);
  await t.rejects(first.exec(['gamekeeper', 'up']), /contains only the proxy/);
  t.equal(await first.stop(), 0, 'SIGTERM ends it cleanly');

  const second = await start();
  t.match(await second.exec(['gamekeeper', 'proxy', 'user', 'list']), /^anna /m);
});

t.test('the image holds what the proxy loads, and no tools, sources or secrets', async (t) => {
  if (!requireContainers(t)) return;
  const image = await buildProxyImage(t);
  const list = 'console.log(fs.readdirSync("/app", { recursive: true }).join("\\n"))';
  const files = await podman(
    ...['run', '--rm', '--network', 'none', '--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
    ...['--entrypoint', 'node', image, '--eval', list],
  );
  const names = files.split('\n');
  for (const needed of ['node_modules/pg/package.json', 'node_modules/openid-client/package.json', 'LICENSE'])
    t.ok(names.includes(needed), needed);
  for (const surplus of ['node_modules/rolldown', 'node_modules/typescript', 'node_modules/node', '.git', 'gateway'])
    t.notOk(names.includes(surplus), surplus);
  const history = await podman('history', '--no-trunc', '--format', '{{.CreatedBy}}', image);
  t.notMatch(history, /token|password/i);
});
