import t from 'tap';
import { knownSecrets } from '../../../shared/schema/known-secrets.ts';
import { until } from '../../support/machine/until.ts';
import { runSupervisor } from '../../support/processes/running-supervisor.ts';

const secretsOf = (env: Record<string, string>, command: string[] = []) => knownSecrets({ env, launch: { command } });

t.test('variables that are named like a secret are secrets', async (t) => {
  const names = [
    ...['PASSWORD', 'DB_PASSWORD', 'rconPassword', 'MYSQL_PWD', 'DB_PASS', 'API_KEY', 'SIGNING_KEY', 'KEY'],
    ...['DISCORD_TOKEN', 'ACCESSTOKEN', 'clientSecret', 'AWS_SECRET_ACCESS_KEY', 'GIT_CREDENTIALS', 'DISCORD_WEBHOOK'],
    ...['PASSWORD_2', 'TOKENS', 'X_AUTH'],
  ];
  for (const name of names) t.same(secretsOf({ [name]: 'one-9f' }), ['one-9f'], name);
});

t.test('values about a secret, and values that cannot be one, are not hidden', async (t) => {
  const names = [
    ...['PWD', 'PASSWORD_FILE', 'TOKEN_URL', 'KEYBOARD', 'MONKEY', 'COMPASS', 'AUTHOR', 'TOKENIZER', 'KEY_LENGTH'],
    ...['LEVEL_NAME', 'PASSENGERS', 'SECRETARY', 'BYPASS'],
  ];
  for (const name of names) t.same(secretsOf({ [name]: 'one-9f' }), [], name);
  for (const value of ['', 'true', 'No', '12', '$TOKEN', 'none']) t.same(secretsOf({ TOKEN: value }), [], value);
});

t.test('arguments after flags that are named like a secret, and passwords in URLs, are secrets', async (t) => {
  const command = [
    './server',
    '--password',
    'p1',
    '--token=t1',
    '-Drcon.password=p2',
    'SECRET=s1',
    '--name',
    'x',
    '--key',
  ];
  t.same(secretsOf({}, command), ['p1', 't1', 'p2', 's1']);
  t.same(secretsOf({}, ['sh', '-c', './server --api-key "k1" && echo --password']), ['k1']);
  t.same(secretsOf({}, ['--password', '--nogui', '--max-players', '20']), []);
  t.same(secretsOf({ DATABASE: 'mysql://mc:p%40ss@db/mc' }, ['redis://:pw9@cache']), ['p%40ss', 'p@ss', 'pw9']);
});

t.test('arguments after variables of game consoles that are named like a password are secrets', async (t) => {
  const openarena = [
    'openarena-server',
    '+set',
    'rconPassword',
    'p1',
    '+set',
    'sv_privatePassword',
    'p2',
    '+map',
    'dm1',
  ];
  t.same(secretsOf({}, openarena), ['p1', 'p2']);
  t.same(secretsOf({}, ['srcds_run', '+rcon_password', 'p1', '+map', 'x']), ['p1']);
  t.same(secretsOf({}, ['teeworlds-server', 'sv_rcon_password p1', 'password p2']), ['p1']);
  t.same(secretsOf({}, ['java', '-jar', 'token-server.jar', 'nogui', 'bypass', 'on']), []);
  t.same(secretsOf({}, ['ioq3ded', '+set', 'rconpassword', '+map']), []);
});

t.test('the RCON password is a secret', async (t) => {
  t.same(knownSecrets({ env: {}, rcon: { port: 1, password: 'chosen-one' } }), ['chosen-one']);
});

t.test('hides known secrets in the console in every form, also those added while the server runs', async (t) => {
  const program =
    'setInterval(() => console.log(process.env.DISCORD_BOT + "/" + process.argv.at(-1) + "/late-secret-3!"), 20)';
  const { service, config, lines, waitForLine } = await runSupervisor(t, {
    config: {
      software: 'custom',
      env: { DISCORD_BOT: 'bot-3f9a27d1', MY_TOKEN: 'bot-3f9a27d1' },
      launch: { command: [process.execPath, '-e', program, '--', 'flag-9d27a1c4', '--password', 'flag-9d27a1c4'] },
      readyPattern: 'late',
    },
  });
  await service.start();
  await waitForLine(/^\[secret\]\/\[secret\]\/late-secret-3!$/);
  service.configure({ ...config, env: { ...config.env, LATE_SECRET: 'late-secret-3!' } });
  await waitForLine(/^\[secret\]\/\[secret\]\/\[secret\]$/);
  service.configure(config);
  service.setRedaction({ patterns: [], exceptions: [], secrets: ['secret-of-a-store'] });
  t.equal(
    await until('a secret stays hidden once it was known', async () => (await lines()).at(-1)),
    '[secret]/[secret]/[secret]',
  );
  t.notMatch((await lines()).join('\n'), /3f9a27d1|9d27a1c4/);
});

t.test('a very long value is searched in one pass', (t) => {
  const long = 'x'.repeat(1_000_000); // hours, if each character began a search to the end
  t.same(secretsOf({ A: long }, [long, `${long}://me:hidden@host/`]), ['hidden']);
  t.end();
});
