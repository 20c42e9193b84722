import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import t, { type Test } from 'tap';
import { loadSettings, SettingsError } from '../../../../shared/node/files/settings-file.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';

async function load(t: Test, content: string | undefined, env: NodeJS.ProcessEnv = {}) {
  const file = path.join(temporaryFolder(t), 'settings.json');
  if (content !== undefined) await writeFile(file, content);
  return loadSettings(file, env);
}

t.test('no file means the documented defaults', async (t) => {
  const settings = await load(t, undefined);
  t.match(settings.remoteControl, {
    enabled: true,
    host: '127.0.0.1',
    panelPort: 25_580,
    port: 25_585,
    insecure: false,
  });
  t.match(settings.limits, {
    requestsPerSecond: 100,
    burst: 500,
    socketsPerCredential: 64,
    socketsPerUser: 128,
    socketsPerInstance: 256,
  });
});

t.test('a variable overrides the file, which overrides the default', async (t) => {
  const file = JSON.stringify({
    remoteControl: { host: '127.0.0.2', panelPort: 1000, port: 2000 },
    log: { level: 'warn' },
  });
  const settings = await load(t, file, { GAMEKEEPER_PORT: '0', GAMEKEEPER_LOG_LEVEL: 'debug' });
  t.match(settings.remoteControl, { host: '127.0.0.2', panelPort: 0, port: 2000 });
  t.equal(settings.log.level, 'debug');
});

t.test('a mistake is reported with its key, its value and what is allowed', async (t) => {
  const mistakes: [string, NodeJS.ProcessEnv, RegExp[]][] = [
    ['{"remoteContol":{}}', {}, [/"remoteContol": unknown key/, /Allowed: .*remoteControl/]],
    ['{"remoteControl":{"prot":1}}', {}, [/"prot" in remoteControl: unknown key/, /Allowed: .*panelPort/]],
    ['{"remoteControl":{"port":70000}}', {}, [/remoteControl\.port/, /65535/, /70000/]],
    ['{"log":{"level":"loud"}}', {}, [/log\.level/, /"warn"/, /"loud"/]],
    ['{"remoteControl":{"enabled":"yes"}}', {}, [/remoteControl\.enabled/, /boolean/, /"yes"/]],
    ['{"backups":{"stores":[{"name":"nas","kind":"ftp"}]}}', {}, [/backups\.stores\.0\.kind/, /'s3'|"s3"/]],
    [
      '{"backups":{"stores":[{"name":"nas","kind":"folder","folder":"/mnt/nas"}]}}',
      {},
      [/backups\.stores\.0\.directory/, /"folder" in backups\.stores\.0: unknown key. Allowed: name, kind, directory/],
    ],
    ['{', {}, [/settings\.json/, /JSON/]],
    ['{}', { GAMEKEEPER_PORT: '80a' }, [/GAMEKEEPER_PORT/, /80a/]],
    ['{}', { GAMEKEEPER_LOG_LEVEL: 'loud' }, [/GAMEKEEPER_LOG_LEVEL/, /loud/]],
  ];
  for (const [file, env, expected] of mistakes) {
    const error = await load(t, file, env).catch((reason: unknown) => reason);
    t.type(error, SettingsError, file);
    for (const pattern of expected) t.match((error as Error).message, pattern);
  }
});

t.test('a mistake in a store never shows its secrets', async (t) => {
  const secret = 'hunter2hunter2';
  const stores: object[] = [
    { name: 'a', kind: 'ftp', password: secret },
    { name: 'a', kind: 's3', bucket: 'backups', accessKeyId: 'me', secretAccessKey: secret, regoin: 'here' },
    { name: 'a', kind: 'webdav', url: `https://me:${secret}@example.org` },
    { name: 'a', kind: 'sftp', host: 'h', username: 'u', directory: 'd', hostKey: 'unknown', passphrase: secret },
  ];
  const documents = [
    ...stores.map((store) => ({ backups: { stores: [store] } })),
    { backups: { encryption: { passphrase: secret.slice(0, 7) } } },
    { backups: { encryption: { passphrase: secret, identity: secret } } },
  ];
  for (const document of documents) {
    const error = await load(t, JSON.stringify(document)).catch((reason: unknown) => reason);
    t.type(error, SettingsError);
    t.notMatch((error as Error).message, /hunter2/, (error as Error).message);
  }
});
