import { writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { configuredPorts } from '../../../daemon/instances/configured-ports.ts';
import { temporaryFolder } from '../../support/machine/temporary-folder.ts';
import { instanceConfig } from '../../support/processes/instance-config.ts';

t.test('the ports of an instance come from its settings, its kind and its file', async (t) => {
  const directory = temporaryFolder(t);
  const config = instanceConfig({ directory, port: 25_565, rcon: { port: 25_575, password: 'p' } });
  const own = [
    { purpose: 'game', transport: 'tcp', port: 25_565 },
    { purpose: 'rcon', transport: 'tcp', port: 25_575 },
  ];
  t.same(await configuredPorts(config), own);
  writeFileSync(path.join(directory, 'server.properties'), 'enable-query=true\nquery.port=25566\n');
  t.same(await configuredPorts(config), [...own, { purpose: 'query', transport: 'udp', port: 25_566 }]);
  t.same(await configuredPorts({ ...config, software: 'of the past' }), [], 'the kind does not exist any more');
});
