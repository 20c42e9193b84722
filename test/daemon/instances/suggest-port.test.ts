import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { createRegistry } from '../../../daemon/instances/registry.ts';
import { suggestPort } from '../../../daemon/instances/suggest-port.ts';
import { openStore } from '../../../daemon/store/store.ts';
import { createLogger } from '../../../shared/node/logger.ts';
import { settings } from '../../../shared/schema/settings.ts';
import { freePort } from '../../support/machine/free-port.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { instanceConfig } from '../../support/processes/instance-config.ts';

t.test('a port is suggested that is free for the transport of the taken one', async (t) => {
  const held = await freePort();
  const holder = createServer().listen(held);
  await once(holder, 'listening');
  t.teardown(() => holder.close());
  const store = openStore(path.join(temporaryFolder(t), 'db'));
  t.teardown(() => store[Symbol.dispose]());
  const registry = createRegistry(store.instances, createLogger({ name: 'test', level: 'silent' }));
  const creation = { settings: settings.parse({}), registry, plannedPorts: [] };
  const port = held - 1;
  const config = instanceConfig({ software: 'bedrock', version: '1.26.51.1', port });
  const change = await suggestPort(config, { purpose: 'game', transport: 'tcp', port }, creation);
  t.match(change, { setting: 'port', key: 'port' });
  t.ok(change!.port > held, 'a Bedrock server of this version listens on TCP');
});
