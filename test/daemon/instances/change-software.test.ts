import t from 'tap';
import { settleVersion, withSoftware } from '../../../daemon/instances/change-software.ts';
import { resolveUpdate } from '../../../daemon/instances/resolve-instance.ts';
import { setCustomSoftware, softwareOf } from '../../../shared/domain/software/catalogue.ts';
import { extendDefinition, type SoftwareFile } from '../../../shared/domain/software/extend-definition.ts';
import type { InstanceConfig } from '../../../shared/schema/instance.ts';
import { parseSoftware } from '../../../shared/schema/software.ts';
import { instanceConfig } from '../../support/stand-ins/stand-in-daemon.ts';

const HOST = { ownPorts: [], memoryMb: 8_192 };

function define(file: SoftwareFile, base: string) {
  return parseSoftware(extendDefinition({ ...file, extends: base }, [softwareOf(base)!]));
}

const VARIABLE = { type: 'text', editableBy: 'operator' } as const;
const ARENA = define(
  {
    ...{ kind: 'arena', title: 'Arena', defaultVersion: '7' },
    variables: [
      { ...VARIABLE, name: 'map', default: 'dust', rule: { pattern: '[a-z]+' } },
      { ...VARIABLE, name: 'motto', default: '' },
    ],
    ports: [{ name: 'query', transport: 'udp', first: 27_015 }],
  },
  'custom',
);
setCustomSoftware([ARENA]);

const vanilla = (change: Partial<InstanceConfig> = {}) =>
  instanceConfig({ software: 'vanilla', version: '1.21.4', ...change });
const versionsOf = async (kind: string) => ({
  ...{ kind, fetchedAt: '2026-11-20T08:00:00.000Z', ageSeconds: 0, stale: false },
  versions: [
    { version: '1.22', stable: false },
    { version: '1.21.5', stable: true },
    { version: '1.21.4', stable: true },
  ],
});
const unasked = () => Promise.reject(new Error('no vendor is asked'));

t.test('servers of Minecraft: Java Edition can change among its kinds, and keep their settings', (t) => {
  const before = vanilla({ maxPlayers: 7, eulaAccepted: true, rcon: { port: 1, password: 'p' } });
  for (const kind of ['paper', 'purpur', 'folia', 'fabric', 'quilt', 'forge', 'neoforge'])
    t.same(withSoftware(before, kind), { ...before, software: kind });
  t.end();
});

t.test('custom software can become another kind with a command; what that kind lacks is dropped', (t) => {
  const before = instanceConfig({
    ...{ software: 'custom', version: 'custom', launch: { command: ['./x'] } },
    variables: { map: 'Castle 1', motto: 'hi', other: 'x' },
    ports: { query: 27_020, other: 1 },
  });
  t.same(withSoftware(before, 'arena'), {
    ...{ ...before, software: 'arena' },
    variables: { motto: 'hi' },
    ports: { query: 27_020 },
  });
  const { variables: _, ports: __, ...rest } = before;
  t.same(withSoftware({ ...before, software: 'arena' }, 'custom'), rest);
  t.end();
});

t.test('a change to another game is refused with the reason', (t) => {
  const refused = (from: string, to: string, message: RegExp, resolution: RegExp) =>
    t.throws(() => withSoftware(vanilla({ software: from }), to), { code: 'invalid_request', message, resolution });
  refused('paper', 'bedrock', /^software: .*Bedrock Edition have different formats/, /vanilla, folia.*new server/);
  refused('vanilla', 'luanti', /another game/, /It can become paper/);
  refused('luanti', 'vanilla', /another game/, /^Create a new server/);
  refused('vanilla', 'custom', /a program of your own/, /It can become paper/);
  refused('custom', 'demo', /a program of your own/, /It can become arena/);
  refused('vanilla', 'nothing', /no kind "nothing"/, /vanilla, paper/);
  refused('gone', 'vanilla', /"gone" of this server does not exist/, /Put its file back/);
  t.end();
});

t.test('the version is kept if the new kind has it, else it must be named', async (t) => {
  const settle = (config: InstanceConfig, change: object, versions: typeof versionsOf = unasked) =>
    settleVersion(config, change, versions);
  t.same(await settle(vanilla(), { name: 'x' }), { name: 'x' });
  t.same(await settle(vanilla(), { software: 'vanilla' }), { software: 'vanilla' });
  t.same(await settle(vanilla(), { software: 'paper', version: '1.8' }), { software: 'paper', version: '1.8' });
  t.same(await settle(vanilla({ version: 'latest' }), { software: 'paper' }), { software: 'paper' });
  t.same(await settle(vanilla(), { software: 'paper' }, versionsOf), { software: 'paper' });
  await t.rejects(settle(vanilla({ version: '1.20' }), { software: 'paper' }, versionsOf), {
    code: 'version_not_found',
    message: 'version: there is no Paper 1.20.',
    resolution: /such as 1\.21\.5\b.*GET \/software\/paper\/versions/,
  });
  await t.rejects(settle(vanilla(), { software: 'bedrock' }), { code: 'invalid_request' }, 'before a vendor is asked');
  const custom = instanceConfig({ software: 'custom', version: 'custom' });
  t.same(await settle(custom, { software: 'arena' }), { software: 'arena', version: '7' });
});

t.test('an update checks its other fields by the new kind', (t) => {
  const launch = { command: ['./x'] };
  const custom = instanceConfig({ software: 'custom', version: 'custom', launch, port: 20_000 });
  t.match(resolveUpdate(custom, { software: 'arena', version: '7', ports: { query: 3 } }, HOST), {
    ...{ software: 'arena', version: '7', launch },
    ports: { query: 3 },
  });
  t.throws(() => resolveUpdate(vanilla(), { software: 'paper', launch }, HOST), { message: /^launch: only for/ });
  t.end();
});

t.test('null sets a setting back to its default', (t) => {
  const before = vanilla({
    ...{ memoryMb: 4_096, autoStart: true, autoResume: true, stopTimeoutSeconds: 5, env: { A: 'b' } },
    crashPolicy: { restart: 'never', maxRestarts: 0, windowSeconds: 1 },
  });
  const reset = { memoryMb: null, autoStart: null, autoResume: null, stopTimeoutSeconds: null, env: null };
  const after = resolveUpdate(before, { ...reset, crashPolicy: null, transport: null }, HOST);
  t.match(after, { memoryMb: 2_048, autoStart: false, stopTimeoutSeconds: 60, env: {} });
  t.same(after.env, {});
  t.same(after.crashPolicy, { restart: 'on-failure', maxRestarts: 3, windowSeconds: 600 });
  t.notOk('autoResume' in after || 'transport' in after);
  const custom = instanceConfig({ software: 'custom', transport: 'udp', launch: { command: ['./x'] } });
  t.notOk('transport' in resolveUpdate(custom, { transport: null }, HOST));
  t.end();
});
