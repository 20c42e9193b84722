import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import t, { type Test } from 'tap';
import { setCustomSoftware } from '../../../../shared/domain/software/catalogue.ts';
import { extendDefinition, type SoftwareFile } from '../../../../shared/domain/software/extend-definition.ts';
import { parseSoftware } from '../../../../shared/schema/software.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

const GAME =
  'trap "echo saved; exit 0" INT; trap "echo cut off; exit 1" TERM; echo "up: $*"; while :; do sleep 0.1; done';

/** A kind that runs a shell as its game. */
function kind(t: Test, change: object): void {
  const file = {
    ...{ kind: 'mine', title: 'Mine', defaultVersion: '1', readyPattern: '^up: ' },
    gamePort: { first: 27_015, transport: 'udp' },
    launch: {
      type: 'system',
      program: ['no-such-shell', 'sh'],
      args: ['-c', GAME],
      env: {},
      missing: 'Install a shell.',
    },
    ...change,
  };
  setCustomSoftware([parseSoftware(extendDefinition(file as SoftwareFile, []))]);
  t.teardown(() => setCustomSoftware([]));
}

t.test('a kind is started with its variables and ports, and stopped by its signal', async (t) => {
  kind(t, {
    stop: { signal: 'INT', graceSeconds: 20 },
    ports: [{ name: 'query', transport: 'udp', first: 27_020 }],
    variables: [
      { name: 'admin', type: 'text', rule: { required: true }, default: '', editableBy: 'admin', secret: true },
    ],
    launch: {
      ...{ type: 'system', program: ['no-such-shell', 'sh'], env: {}, missing: 'Install a shell.' },
      args: ['-c', GAME, 'sh', '{port}', '{port.query}', '{admin}; exit 7'],
    },
  });
  const query = await freePort();
  const config = { software: 'mine', ports: { query } };
  const refused = await runSupervisor(t, { config });
  await t.rejects(refused.service.start(), { code: 'launch_failed', message: /"admin" must not be empty/ });

  const game = await runSupervisor(t, { config: { ...config, variables: { admin: 'correct horse' } } });
  const holder = createSocket('udp4').bind(query);
  await once(holder, 'listening');
  await t.rejects(game.service.start(), { code: 'port_in_use', message: `query port ${query} (UDP) is in use` });
  holder.close();
  await once(holder, 'close');

  await game.service.start();
  await game.waitForPhase('running');
  t.match(game.service.status().ports, [{ purpose: 'game' }, { purpose: 'named', label: 'query', port: query }]);
  await game.service.stop();
  await game.waitForPhase('stopped');
  const text = (await game.lines()).join('\n');
  t.match(text, `up: ${game.config.port} ${query} `);
  t.match(text, /; exit 7/, 'a value is never a command');
  t.notMatch(text, 'correct horse');
  t.match(text, /Stopping: sending SIGINT\.[\s\S]*saved/);
  t.notMatch(text, 'cut off');
});

t.test('a program that the machine lacks is refused, saying how to get it', async (t) => {
  kind(t, {
    launch: { type: 'system', program: ['no-such-game'], args: [], env: {}, missing: 'Install no-such-game.' },
  });
  const { service } = await runSupervisor(t, { config: { software: 'mine' } });
  await t.rejects(service.start(), {
    ...{ code: 'launch_failed', resolution: 'Install no-such-game.' },
    message: 'This machine does not have no-such-game.',
  });
});
