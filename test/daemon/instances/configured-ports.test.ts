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

t.test('addresses of the file are part of them, and an RCON port that moves by itself is not', async (t) => {
  const directory = temporaryFolder(t);
  const rcon = { port: 25_575, password: 'p' };
  const text = 'server-ip=192.0.2.1\nenable-query=true\nmanagement-server-enabled=true\nmanagement-server-port=25585\n';
  writeFileSync(path.join(directory, 'server.properties'), text);
  const config = instanceConfig({ directory, port: 25_565, rcon: { ...rcon, chosen: true } });
  const host = '192.0.2.1';
  t.same(await configuredPorts(config), [
    { purpose: 'game', transport: 'tcp', port: 25_565, host },
    { purpose: 'query', transport: 'udp', port: 25_565, host },
    { purpose: 'management', transport: 'tcp', port: 25_585, host: '127.0.0.1' },
  ]);
  t.same((await configuredPorts({ ...config, rcon }))[1], { purpose: 'rcon', transport: 'tcp', port: 25_575, host });
});

t.test('Bedrock uses UDP for both families, or one TCP port, by its version', async (t) => {
  const directory = temporaryFolder(t);
  writeFileSync(path.join(directory, 'server.properties'), 'server-portv6=19133\n');
  const config = instanceConfig({ directory, software: 'bedrock', port: 19_132 });
  t.same(await configuredPorts({ ...config, version: '1.21.100.7' }), [
    { purpose: 'game', transport: 'udp', port: 19_132 },
    { purpose: 'game-ipv6', transport: 'udp', port: 19_133 },
  ]);
  t.same(await configuredPorts({ ...config, version: '1.26.51.1' }), [
    { purpose: 'game', transport: 'tcp', port: 19_132 },
  ]);
});
