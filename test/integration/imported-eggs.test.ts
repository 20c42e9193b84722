// biome-ignore-all lint/suspicious/noTemplateCurlyInString: eggs refer to variables this way
/** Eggs as Pterodactyl exports them (PTDL_v2), imported by command, and their servers started. */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { VENDOR_NAMES } from '../../shared/domain/vendors.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import { startFakeVendors } from '../support/jobs/fake-vendors.ts';
import { javaPrograms } from '../support/jobs/java-programs.ts';
import { isOnPath, pathOf, requireProgram } from '../support/machine/system-packages.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { until } from '../support/machine/until.ts';
import { type Gamekeeper, startGamekeeper } from '../support/processes/gamekeeper.ts';

const variable = (name: string, value: string, rules: string) => ({
  ...{ name, description: '', env_variable: name, default_value: value, rules },
  ...{ user_viewable: true, user_editable: true, field_type: 'text' },
});

/** Its installation, which Gamekeeper never runs, would download the program. */
const INSTALLATION = { script: 'curl -o server.jar $URL', container: 'debian:12', entrypoint: 'bash' };

const JAVA_EGG = {
  meta: { version: 'PTDL_v2', update_url: null },
  ...{ name: 'Blocks', author: 'someone@example.com', description: 'A server in Java', features: ['eula'] },
  docker_images: { 'Java 17': 'ghcr.io/pterodactyl/yolks:java_17' },
  startup: 'java -Xms128M -Xmx{{SERVER_MEMORY}}M -Dterminal.jline=false -jar {{SERVER_JARFILE}} --world {{WORLD}}',
  config: {
    files: JSON.stringify({
      'server.properties': { parser: 'properties', find: { 'server-port': '{{server.build.default.port}}' } },
    }),
    startup: JSON.stringify({ done: ')! For help, type ' }),
    ...{ logs: '{}', stop: 'stop' },
  },
  scripts: { installation: INSTALLATION },
  variables: [
    variable('SERVER_JARFILE', 'server.jar', 'required|regex:/^([\\w\\d._-]+)(\\.jar)$/'),
    variable('WORLD', 'blocks', 'required|string|max:20'),
  ],
};

const NATIVE_EGG = {
  meta: { version: 'PTDL_v2', update_url: null },
  ...{ name: 'Tees', author: 'someone@example.com', description: 'A native server', features: null },
  docker_images: { Debian: 'ghcr.io/pterodactyl/yolks:debian' },
  startup: './tees_srv "sv_port {{SERVER_PORT}}; sv_register 0; sv_map {{MAP}}; sv_name {{TITLE}}"',
  config: {
    ...{ files: '{}', startup: JSON.stringify({ done: 'server name is' }), logs: '{}', stop: '^C' },
  },
  scripts: { installation: INSTALLATION },
  variables: [
    variable('MAP', 'dm2', 'required|string|alpha_num'),
    variable('TITLE', 'Small world', 'required|string|max:30'),
  ],
};

/** Imports an egg and creates a server of it. Resolves to its folder. */
async function createFrom(t: Test, { cli, home }: Gamekeeper, egg: { name: string }, ...options: string[]) {
  const file = join(temporaryFolder(t), 'egg.json');
  writeFileSync(file, JSON.stringify(egg));
  const imported = await cli('kind', 'import', file, '--save', ...options);
  t.match(imported, { code: 0, stdout: /curl -o server\.jar/ }, 'the installation is shown');
  const id = egg.name.toLowerCase();
  const created = await cli('create', '--software', id, '--name', egg.name, '--memory', '512M');
  t.equal(created.code, 0, created.stderr);
  return join(home, 'instances', id);
}

async function start({ api, waitForStatus }: Gamekeeper, id: string): Promise<Instance> {
  const { status, body } = await api('POST', `/instances/${id}/start`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return waitForStatus(id, 'running', { deadlineMs: 120_000 });
}

async function stop({ api, waitForStatus }: Gamekeeper, id: string): Promise<string> {
  await api('POST', `/instances/${id}/stop`);
  await waitForStatus(id, 'stopped');
  return (await api<{ lines: string[] }>('GET', `/instances/${id}/logs?lines=200`)).body.lines.join('\n');
}

t.test('an egg of a Java server starts with the Java that it names, takes commands and stops', async (t) => {
  if (!isOnPath('javac') || !isOnPath('jlink')) {
    requireProgram(t, 'javac', 'openjdk-17-jdk-headless');
    return;
  }
  const { base } = await startFakeVendors(t);
  const vendors = Object.fromEntries(VENDOR_NAMES.map((name) => [name, base]));
  const gamekeeper = await startGamekeeper(t, { settings: { vendors } });
  const folder = await createFrom(t, gamekeeper, JAVA_EGG);
  await gamekeeper.api('PATCH', '/instances/blocks', { crashPolicy: { restart: 'never' } });
  await gamekeeper.api('POST', '/instances/blocks/start');
  const crash = await until(
    'the start has failed',
    async () => (await gamekeeper.api<Instance>('GET', '/instances/blocks')).body.crash,
    { deadlineMs: 120_000 },
  );
  t.match(crash, { reason: /server\.jar is missing/ }, 'what the installation would have brought is named');

  writeFileSync(join(folder, 'server.jar'), javaPrograms().server);
  const { port } = await start(gamekeeper, 'blocks');
  t.match(readFileSync(join(folder, 'server.properties'), 'utf8'), `server-port=${port}`);
  const { body } = await gamekeeper.api<{ output: string }>('POST', '/instances/blocks/commands', {
    command: 'save-all',
  });
  t.match(body.output, /Saved the game/);
  const log = await stop(gamekeeper, 'blocks');
  t.match(log, /Java 17, 512 MB, --world blocks/);
  t.match(log, /Stopping server/);
});

t.test('an egg of a native server starts its program on its own port and ends it with Ctrl+C', async (t) => {
  if (!requireProgram(t, 'teeworlds-server', 'teeworlds-server')) return;
  const gamekeeper = await startGamekeeper(t);
  const folder = await createFrom(t, gamekeeper, NATIVE_EGG, '--port', '8303/udp');
  const program = join(folder, 'tees_srv');
  copyFileSync(pathOf('teeworlds-server')!, program);
  chmodSync(program, 0o755);

  const { port } = await start(gamekeeper, 'tees');
  await gamekeeper.api('POST', '/instances', { name: 'Other', software: 'tees', port });
  const refused = await gamekeeper.api<{ detail: string }>('POST', '/instances/other/start');
  t.match(refused, { status: 409, body: { detail: /is in use by the instance "tees"/ } });
  const log = await stop(gamekeeper, 'tees');
  t.match(log, /server name is 'Small world'/);
  t.notMatch(log, /SIGKILL/, 'it ends by itself');
});

t.test('a kind can be used as soon as its file is there', async (t) => {
  const { api, home } = await startGamekeeper(t);
  mkdirSync(join(home, 'software'), { recursive: true });
  for (const kind of ['first', 'second']) {
    writeFileSync(join(home, 'software', `${kind}.json`), JSON.stringify({ kind, extends: 'demo', title: kind }));
    const created = await api('POST', '/instances', { name: kind, software: kind });
    t.equal(created.status, 201, JSON.stringify(created.body));
  }
});
