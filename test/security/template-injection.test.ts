/**
 * Text of users is never a template: placeholders in properties, names, commands and variables are not replaced and reveal nothing
 * (CVE-2026-52855, GHSA-pfvc-3p5h-x7h6 of Wings: placeholders in configuration files were replaced by the node's own settings, tokens
 * included; CVE-2025-14700 of Crafty: templates of webhooks ran code).
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** Adds the `$` that a template literal or the linter would take for a placeholder here. */
const dollar = (text: string) => `$${text}`;

/** Placeholders of the template languages of other panels, of shells, and of configuration files. */
const TEMPLATES = [
  '{{config.token}}',
  '{{ server.build.env.RCON }}',
  '{{7*7}}',
  '{{ self.__init__.__globals__ }}',
  dollar('{7*7}'),
  dollar('{env.GAMEKEEPER_ADMIN_PASSWORD}'),
  '$GAMEKEEPER_HOME',
  '%GAMEKEEPER_HOME%',
  '#{7*7}',
  '<%= 7*7 %>',
  '{% include "/etc/passwd" %}',
  dollar('{jndi:ldap://127.0.0.1/x}'),
  '__proto__.token',
  '@{/etc/passwd}',
  '$(cat /etc/passwd)',
];
const CANARY = 'canary-of-the-daemon';

const gamekeeper = await startGamekeeper(t, { env: { GAMEKEEPER_CANARY: CANARY, RCON: CANARY } });
const all = TEMPLATES.join(' ');

t.test('placeholders in properties are kept', async (t) => {
  await gamekeeper.api('POST', '/instances', { name: 'Demo', software: 'demo', port: await freePort() });
  const properties = { motd: all, 'resource-pack': all, custom: all };
  t.equal((await gamekeeper.api('PUT', '/instances/demo/properties', { properties })).status, 200);
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  t.match((await gamekeeper.api('GET', '/instances/demo/properties')).body, { properties });
  const file = readFileSync(path.join(gamekeeper.home, 'instances/demo/server.properties'), 'utf8');
  t.notMatch(file, /canary|root:x|\b49\b/);
});

t.test('placeholders in commands and their output are kept', async (t) => {
  await gamekeeper.api('POST', '/instances/demo/commands', { command: `say ${all}` });
  const { body } = await gamekeeper.api<{ lines: string[] }>('GET', '/instances/demo/logs');
  const said = body.lines.find((line) => line.includes('{{7*7}}')) ?? '';
  for (const template of TEMPLATES) t.ok(said.includes(template) || /token|PASSWORD/i.test(template), template);
  t.notMatch(said, /canary|root:x/);
});

t.test('placeholders in variables and arguments of a custom program are kept', async (t) => {
  await gamekeeper.api('POST', '/instances', {
    name: 'Own',
    software: 'custom',
    launch: { command: ['/bin/sh', '-c', 'printf "%s\\n" "$SHOWN" "$@"', 'sh', ...TEMPLATES] },
    env: { SHOWN: TEMPLATES.slice(4, 8).join('|') },
    crashPolicy: { restart: 'never' },
  });
  await gamekeeper.api('POST', '/instances/own/start');
  const printed = async () =>
    (await gamekeeper.api<{ lines: string[] }>('GET', '/instances/own/logs?lines=200')).body.lines.join('\n');
  await until('the last placeholder is printed', async () => (await printed()).includes('$(cat /etc/passwd)'));
  const text = await printed();
  for (const template of [
    '{{7*7}}',
    dollar('{7*7}'),
    '$GAMEKEEPER_HOME',
    '%GAMEKEEPER_HOME%',
    '<%= 7*7 %>',
    '$(cat /etc/passwd)',
  ])
    t.ok(text.includes(template), template);
  t.notMatch(text, /canary|root:x|^49$/m);
});

t.test('placeholders in names are kept', async (t) => {
  for (const name of TEMPLATES) {
    const answer = await gamekeeper.api<{ id: string; name: string }>('POST', '/instances', { name, software: 'demo' });
    t.match(answer, { status: 201, body: { name } }, name);
    await gamekeeper.api('DELETE', `/instances/${answer.body.id}?files=delete`);
  }
});
