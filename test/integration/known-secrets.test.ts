import t from 'tap';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const store = (password: string) => ({
  backups: { stores: [{ name: 'box', kind: 'webdav', url: 'https://127.0.0.1:9/dav', username: 'mc', password }] },
});

t.test('secrets of the settings and the instance are hidden in the console as soon as they are set', async (t) => {
  const gamekeeper = await startGamekeeper(t);
  const { cli } = gamekeeper;
  const instance = { name: 'Demo', software: 'demo', port: await freePort(), env: { SHOP_TOKEN: 'shop-1f9a27d1c4' } };
  await gamekeeper.api('POST', '/instances', instance);
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  const say = async (text: string) => {
    await cli('exec', 'demo', 'say', text);
    const [first = ''] = text.split(' ');
    return until('the line is logged', async () => {
      const { stdout } = await cli('logs', 'demo', '-n', '1');
      return stdout.includes(first) && stdout;
    });
  };
  t.match(await say('one shop-1f9a27d1c4 and dav-7c0be2a9'), /one \[secret\] and dav-7c0be2a9/);

  const cookie = await gamekeeper.login();
  const { origin } = new URL(gamekeeper.addresses().panel);
  const changed = await gamekeeper.api('PUT', '/api/settings', store('dav-7c0be2a9'), { cookie, origin });
  t.match(changed, { status: 200 });
  t.match(await say('two shop-1f9a27d1c4 and dav-7c0be2a9'), /two \[secret\] and \[secret\]/);

  await gamekeeper.api('PATCH', '/instances/demo', { env: { SHOP_TOKEN: 'shop-2b8c41e7f0' } });
  t.match(await say('three shop-2b8c41e7f0 and shop-1f9a27d1c4'), /three \[secret\] and \[secret\]/);

  await gamekeeper.endDaemon('SIGKILL');
  await gamekeeper.startDaemon();
  t.match(
    await say('four shop-2b8c41e7f0 and dav-7c0be2a9'),
    /four \[secret\] and \[secret\]/,
    'after the next daemon has reattached the supervisor',
  );
});
