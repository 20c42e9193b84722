import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition } from '../../../../shared/domain/software/definition.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import { gameSettings } from '../../../../workers/supervisor/properties/game-settings.ts';
import { instanceConfig } from '../../../support/processes/instance-config.ts';

const custom = softwareOf('custom')!;
const demo = softwareOf('demo')!;
const vanilla = softwareOf('vanilla')!;

const settings = (
  definition: SoftwareDefinition,
  properties: Record<string, string> = {},
  config: Partial<InstanceConfig> = {},
) => gameSettings({ config: instanceConfig(config), definition, properties, password: 'fresh' });

t.test('a new server gets its port, its player limit and RCON', async (t) => {
  t.strictSame(settings(vanilla, {}, { port: 4000, maxPlayers: 5, rcon: { port: 4001, password: 'ours' } }), {
    bindHost: undefined,
    reachHost: '127.0.0.1',
    rcon: { port: 4001, password: 'ours' },
    changes: { 'server-port': '4000', 'max-players': '5', 'enable-rcon': 'true', 'rcon.password': 'ours' },
  });
});

t.test('never replaces an existing password', async (t) => {
  const { rcon, changes } = settings(
    vanilla,
    { 'rcon.password': 'theirs' },
    { rcon: { port: 4001, password: 'ours' } },
  );
  t.strictSame(rcon, { port: 4001, password: 'theirs' });
  t.match(changes, { 'rcon.password': 'theirs' });
});

t.test('without a setting, keeps the RCON port of a file with RCON on, and otherwise takes any free one', async (t) => {
  t.strictSame(settings(vanilla, { 'enable-rcon': 'true', 'rcon.port': '4002' }).rcon, {
    port: 4002,
    password: 'fresh',
  });
  t.strictSame(settings(vanilla, { 'enable-rcon': 'false', 'rcon.port': '25575' }).rcon, {
    port: undefined,
    password: 'fresh',
  });
});

t.test('custom software keeps its file, and has RCON only if the instance or that file sets it', async (t) => {
  t.match(settings(custom), { changes: undefined, rcon: undefined });
  t.match(settings(custom, { 'enable-rcon': 'true', 'rcon.port': '4002', 'rcon.password': 'p' }), {
    changes: undefined,
    rcon: { port: 4002, password: 'p' },
  });
  t.match(settings(custom, {}, { rcon: { port: 4003, password: 'q' } }).rcon, { port: 4003, password: 'q' });
});

t.test('reaches a server at the address that it binds', async (t) => {
  t.match(settings(vanilla, { 'server-ip': ' 192.0.2.7 ' }), { bindHost: '192.0.2.7', reachHost: '192.0.2.7' });
  t.match(settings(vanilla, { 'server-ip': '0.0.0.0' }), { bindHost: undefined, reachHost: '127.0.0.1' });
  t.match(settings(demo), { bindHost: '127.0.0.1', reachHost: '127.0.0.1' });
});
