import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { AdoptedSettings } from '../../../../shared/contract/daemon/instances.ts';
import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig } from '../../../../shared/schema/instance.ts';
import { createAgreedValues } from '../../../../workers/supervisor/properties/agreed-values.ts';
import {
  type ChangedProperty,
  createInstanceProperties,
  MASK,
} from '../../../../workers/supervisor/properties/instance-properties.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { instanceConfig } from '../../../support/processes/instance-config.ts';

/** Returns a stopped instance of the demo server with this file. */
function instanceWith(t: Test, text: string | undefined, parts: Partial<InstanceConfig> = {}) {
  const directory = temporaryFolder(t);
  const file = join(directory, 'server.properties');
  if (text !== undefined) writeFileSync(file, text);
  const state = { running: false, locked: false, daemon: true };
  const noted: ChangedProperty[] = [];
  const world = {
    state,
    noted,
    file,
    config: instanceConfig({ directory, port: 25_565, ...parts }),
    agreed: createAgreedValues(join(temporaryFolder(t), 'properties.json'), t.comment),
    text: () => readFileSync(file, 'utf8'),
  };
  const properties = createInstanceProperties({
    config: () => world.config,
    async adopt(settings: AdoptedSettings) {
      if (!state.daemon) throw new Error('there is no daemon');
      if (settings.port === 25_580) throw new GamekeeperError('invalid_request', 'port: Gamekeeper itself uses 25580.');
      world.config = { ...world.config, ...settings };
    },
    agreed: world.agreed,
    hasProcess: () => state.running,
    isFolderLocked: () => state.locked,
    exclusively: (task) => task(),
    async noteChanges(changes) {
      noted.push(...changes);
    },
    log: (_level, message) => t.comment(message),
  });
  return Object.assign(world, properties);
}

const PORT = 'server-port=25565\n';

t.test('masks secrets, and a mask that is written back leaves the secret unchanged', async (t) => {
  const secrets = 'rcon.password=hunter22\nmanagement-server-secret=abc\n';
  const instance = instanceWith(t, `${PORT}${secrets}motd=Hi\n`);
  const { properties } = await instance.read();
  const port = { 'server-port': '25565' };
  t.strictSame(properties, { ...port, 'rcon.password': MASK, 'management-server-secret': MASK, motd: 'Hi' });
  await instance.change({ properties: { ...properties, motd: 'Ho' } });
  t.equal(instance.text(), `${PORT}${secrets}motd=Ho\n`);
  await instance.change({ properties: { 'rcon.password': 'new one' } });
  t.match(instance.text(), 'rcon.password=new one\n');
  t.match(
    (await instanceWith(t, 'rcon.password=\n').read()).properties,
    { 'rcon.password': '' },
    'an empty secret is not masked',
  );
});

t.test('If-Match protects changes of others', async (t) => {
  const instance = instanceWith(t, `${PORT}motd=Hi\n`);
  const { etag } = await instance.read();
  t.match(etag, /^"[0-9a-f]+"$/);
  const changed = await instance.change({ properties: { motd: 'Ho' }, ifMatch: `"x", ${etag}` });
  t.not(changed.etag, etag);
  await t.rejects(instance.change({ properties: { motd: 'Hu' }, ifMatch: etag }), { code: 'precondition_failed' });
  t.match(await instance.change({ properties: { motd: 'Hu' }, ifMatch: '*' }), { properties: { motd: 'Hu' } });
});

t.test('refuses an invalid value of a known property by name, and writes nothing', async (t) => {
  const instance = instanceWith(t, `${PORT}motd=Hi\n`, { maxPlayers: 20 });
  const before = (await instance.read()) && instance.text();
  const wrong: [string, string, RegExp][] = [
    ['server-port', '70000', /server-port: must be a whole number from 1 to 65535 \(is: "70000"\)/],
    ['pvp', 'yes', /"true" or "false" \(is: "yes"\)/],
    ['difficulty', 'extreme', /one of peaceful, easy, normal, hard/],
    ['level-name', '../../etc', /folder within the server's own/],
    ['resource-pack-sha1', 'abc', /40 hexadecimal digits, or nothing/],
    ['management-server-secret', 'too short', /40 letters and digits, or nothing\.$/],
    ['max-players', '0', /whole number from 1 to 100000/],
    ['a key', 'x', /visible ASCII/],
  ];
  for (const [key, value, message] of wrong) {
    const refused = instance.change({ properties: { motd: 'Ho', [key]: value } });
    await t.rejects(refused, { code: 'invalid_request', message }, key);
  }
  t.equal(instance.text(), before);
});

t.test('accepts an existing invalid value that is written back, and unknown keys', async (t) => {
  const instance = instanceWith(t, `${PORT}pvp=maybe\n`);
  await instance.change({ properties: { pvp: 'maybe', motd: 'Ho', 'of-a-mod': 'ü' } });
  t.equal(instance.text(), `${PORT}pvp=maybe\nmotd=Ho\nof-a-mod=\\u00fc\n`);
});

t.test("a port set in the properties is the instance's port, and the other way round", async (t) => {
  const rcon = { port: 25_575, password: 'p', chosen: true } as const;
  const instance = instanceWith(t, `${PORT}rcon.port=25575\n`, { rcon, maxPlayers: 20 });
  await instance.change({ properties: { 'server-port': '25570', 'max-players': '7', 'rcon.port': '25571' } });
  t.match(instance.config, { port: 25_570, maxPlayers: 7 });
  t.same(instance.config.rcon, { port: 25_571, password: 'p' }, 'a port that the owner set is not movable');

  instance.config = { ...instance.config, port: 4000, maxPlayers: 9 };
  t.match((await instance.read()).properties, { 'server-port': '4000', 'max-players': '9', 'rcon.port': '25571' });
  t.equal(instance.text(), 'server-port=4000\nrcon.port=25571\nmax-players=9\n');
});

t.test('a port that the daemon refuses is not written', async (t) => {
  const instance = instanceWith(t, `${PORT}motd=Hi\n`);
  const refused = instance.change({ properties: { 'server-port': '25580', motd: 'Ho' } });
  await t.rejects(refused, { code: 'invalid_request', message: /Gamekeeper itself uses/ });
  t.equal(instance.text(), `${PORT}motd=Hi\n`);
});

t.test('adopts edits of the file while the server is stopped', async (t) => {
  const instance = instanceWith(t, PORT);
  await instance.read();
  writeFileSync(instance.file, 'server-port=25999\n');
  t.match((await instance.read()).properties, { 'server-port': '25999' });
  t.equal(instance.config.port, 25_999);
  writeFileSync(instance.file, 'server-port=25998\n');
  t.match((await instance.settle()).values, { 'server-port': '25998' }, 'the same by a start');
  t.equal(instance.config.port, 25_998);

  for (const nonsense of ['nonsense', '0', '70000', '']) {
    writeFileSync(instance.file, `server-port=${nonsense}\n`);
    t.match((await instance.read()).properties, { 'server-port': '25998' }, `"${nonsense}" is not adopted`);
  }
  t.equal(instance.text(), 'server-port=25998\n');
});

t.test('an edit of the file that the daemon refuses prevents a start, and is kept', async (t) => {
  const instance = instanceWith(t, `${PORT}max-players=20\n`, { maxPlayers: 20 });
  await instance.read();
  const edited = 'server-port=25580\nmax-players=40\n';
  writeFileSync(instance.file, edited);
  await t.rejects(instance.settle(), {
    code: 'launch_failed',
    message: /server\.properties cannot be used: port: Gamekeeper itself uses 25580/,
  });
  t.match((await instance.read()).properties, { 'server-port': '25580', 'max-players': '40' }, 'it can be read');
  t.equal(instance.text(), edited);
  await instance.change({ properties: { 'server-port': '25570' } });
  await instance.settle();
  t.match(instance.config, { port: 25_570, maxPlayers: 40 }, 'and corrected');
});

t.test('the instance wins if both sides have changed, or if it is not known which', async (t) => {
  const unknown = instanceWith(t, 'server-port=4000\n');
  t.match((await unknown.read()).properties, { 'server-port': '25565' }, 'a copied or restored folder');

  writeFileSync(unknown.file, 'server-port=4001\n');
  unknown.config = { ...unknown.config, port: 4002 };
  t.match((await unknown.read()).properties, { 'server-port': '4002' });
  t.equal(unknown.text(), 'server-port=4002\n');
});

t.test('a running server that writes the old values back changes nothing', async (t) => {
  const instance = instanceWith(t, PORT);
  await instance.prepare(await instance.settle(), { 'server-port': '25565' });
  instance.state.running = true;
  instance.config = { ...instance.config, port: 4000 };
  await instance.read();
  t.equal(instance.text(), 'server-port=4000\n');
  writeFileSync(instance.file, PORT); // as `whitelist on` makes vanilla do
  t.match((await instance.read()).properties, { 'server-port': '4000' });
  await instance.change({ properties: { 'server-port': '4001' } });
  writeFileSync(instance.file, PORT);
  instance.state.running = false;
  t.match((await instance.settle()).values, { 'server-port': '4001' });
  t.equal(instance.config.port, 4001);
});

t.test('without a file, returns what the first start will write, and creates it at the first change', async (t) => {
  const instance = instanceWith(t, undefined, { maxPlayers: 5 });
  const { properties, etag } = await instance.read();
  t.same(properties, { 'server-port': '25565', 'max-players': '5' });
  t.notOk(existsSync(instance.file));
  instance.config = { ...instance.config, port: 4000 };
  await t.rejects(instance.change({ properties: { motd: 'Hi' }, ifMatch: etag }), { code: 'precondition_failed' });
  await instance.change({ properties: { motd: 'Hi' } });
  t.match((await instance.read()).properties, { motd: 'Hi', 'server-port': '4000' });
});

t.test('reading does not write to a locked folder', async (t) => {
  const instance = instanceWith(t, PORT, { port: 4000 });
  instance.state.locked = true;
  t.match((await instance.read()).properties, { 'server-port': '4000' }, 'shows the value that will be written later');
  t.equal(instance.text(), PORT);
});

t.test('changes nothing while the daemon is unavailable', async (t) => {
  const instance = instanceWith(t, PORT);
  await instance.read();
  instance.state.daemon = false;
  writeFileSync(instance.file, 'server-port=25999\n');
  t.match((await instance.settle()).values, { 'server-port': '25999' });
  instance.state.daemon = true;
  await instance.read();
  t.equal(instance.config.port, 25_999, 'adopted the next time');
});

t.test('adopts values from the file of custom software, and writes only values that were equal before', async (t) => {
  const launch = { command: ['./server'] };
  const instance = instanceWith(t, 'server-port=4000\n', { software: 'custom', launch });
  t.match((await instance.read()).properties, { 'server-port': '4000' });
  t.equal(instance.config.port, 25_565, 'the two never agreed');
  await instance.change({ properties: { 'server-port': '4001' } });
  t.equal(instance.config.port, 4001);
  instance.config = { ...instance.config, port: 4002 };
  await instance.read();
  t.equal(instance.text(), 'server-port=4002\n');

  const without = instanceWith(t, 'a=1\n', { software: 'custom', launch });
  without.config = { ...without.config, port: 4002 };
  await without.read();
  t.equal(without.text(), 'a=1\n');
});

t.test('names the file of software with another one', async (t) => {
  const instance = instanceWith(t, undefined, { software: 'velocity' });
  t.same((await instance.read()).properties, {});
  await t.rejects(instance.change({ properties: { motd: 'x' } }), {
    code: 'invalid_request',
    message: /Velocity \(proxy\) has no server\.properties/,
    resolution: /velocity\.toml/,
  });
});

t.test('checks values by the rules of Bedrock', async (t) => {
  const instance = instanceWith(t, 'server-port=19132\n', { software: 'bedrock', port: 19_132 });
  await instance.change({ properties: { 'server-name': 'Grün \\o/', 'tick-distance': '12' } });
  t.equal(instance.text(), 'server-port=19132\nserver-name=Grün \\o/\ntick-distance=12\n');
  const wrong = { 'server-name': 'a;b', 'tick-distance': '13', gamemode: 'spectator', 'level-seed': 'a\nb' };
  for (const [key, value] of Object.entries(wrong))
    await t.rejects(instance.change({ properties: { [key]: value } }), { code: 'invalid_request' }, key);
});

t.test('reports changes that the next start applies, without linked settings and what is for new worlds', async (t) => {
  const instance = instanceWith(t, `${PORT}motd=Hi\nallow-flight=false\n`);
  await instance.change({
    properties: {
      ...{ 'server-port': '25570', 'level-seed': 'another', 'allow-flight': 'false' },
      ...{ motd: 'Ho', 'view-distance': '12', 'of-a-plugin': 'x' },
    },
  });
  t.strictSame(instance.noted, [
    { key: 'motd', before: 'Hi', after: 'Ho' },
    { key: 'view-distance', before: '10', after: '12' },
    { key: 'of-a-plugin', before: '', after: 'x' },
  ]);
});
