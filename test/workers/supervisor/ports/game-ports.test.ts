import t from 'tap';
import { softwareOf } from '../../../../shared/domain/software/catalogue.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import { gamePorts } from '../../../../workers/supervisor/ports/game-ports.ts';
import { gameSettings } from '../../../../workers/supervisor/properties/game-settings.ts';
import { instanceConfig } from '../../../support/processes/instance-config.ts';

/** Returns `purpose transport port [host] [movable]` for each port of a start. */
function ports(software: string, properties: Record<string, string> = {}, parts: Partial<InstanceConfig> = {}) {
  const definition = softwareOf(software)!;
  const config = instanceConfig({ software, version: '1.21.10', port: 25_565, ...parts });
  const settings = gameSettings({ config, definition, properties, password: 'fresh' });
  return gamePorts({ config, definition, properties, settings }).map(({ purpose, transport, port, host, movable }) =>
    [purpose, transport, port ?? 'any', host, movable && 'movable'].filter(Boolean).join(' '),
  );
}

t.test('a Java server has a game port, RCON, and query and management if they are on', async (t) => {
  const rcon = { port: 25_575, password: 'p' };
  t.same(ports('paper', {}, { rcon }), ['game tcp 25565', 'rcon tcp 25575']);
  t.same(ports('paper', {}, { rcon: { ...rcon, chosen: true } })[1], 'rcon tcp 25575 movable');
  t.same(ports('paper')[1], 'rcon tcp any movable');
  const all = {
    ...{ 'server-ip': '192.0.2.1', 'enable-query': 'true', 'query.port': '25566' },
    ...{ 'management-server-enabled': 'true', 'management-server-port': '25585' },
  };
  t.same(ports('paper', all, { rcon }), [
    'game tcp 25565 192.0.2.1',
    'query udp 25566 192.0.2.1',
    'rcon tcp 25575 192.0.2.1',
    'management tcp 25585 127.0.0.1',
  ]);
  t.same(ports('paper', { 'enable-query': 'true' })[1], 'query udp 25565', "the game's default port");
});

t.test('a management port of 0 is replaced if the version has the protocol', async (t) => {
  const on = {
    'management-server-enabled': 'true',
    'management-server-port': '0',
    'management-server-host': '0.0.0.0',
  };
  t.equal(ports('vanilla', on)[2], 'management tcp any movable');
  t.same(ports('vanilla', on, { version: '1.21.8' }).length, 2);
  t.same(ports('custom', on, { launch: { command: ['x'] } }), ['game tcp 25565'], "an owner's file is not changed");
});

t.test('a proxy has one port', async (t) => t.same(ports('velocity'), ['game tcp 25565']));

t.test('a Bedrock server has UDP ports for IPv4 and IPv6, or a TCP port for the signalling', async (t) => {
  const old = { version: '1.21.100.7', port: 19_132 };
  t.same(ports('bedrock', {}, old), ['game udp 19132', 'game-ipv6 udp 19133 :: movable']);
  t.same(
    ports('bedrock', {}, { ...old, port: 19_140 }),
    ['game udp 19140', 'game-ipv6 udp 19141 :: movable'],
    'a second server does not use the discovery ports',
  );
  const visible = { 'enable-lan-visibility': 'true', 'server-portv6': '19150' };
  t.same(ports('bedrock', visible, { ...old, port: 19_140 }), [
    ...['game udp 19140', 'game-ipv6 udp 19150 ::'],
    ...['discovery udp 19132', 'discovery udp 19133'],
  ]);
  t.same(ports('bedrock', {}, { version: '1.26.51.1', port: 19_132 }), ['game tcp 19132', 'discovery udp 7551']);
  t.equal(ports('bedrock', { transport: 'raknet' }, { version: 'latest', port: 19_132 })[0], 'game udp 19132');
});
