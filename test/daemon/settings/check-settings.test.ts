import t from 'tap';
import { checkSettings } from '../../../daemon/settings/check-settings.ts';
import { SettingsError } from '../../../shared/node/files/settings-file.ts';
import { settings } from '../../../shared/schema/settings.ts';

t.test('an address that others can reach needs TLS or insecure', (t) => {
  const check = (remoteControl: object) => checkSettings(settings.parse({ remoteControl }));
  for (const host of ['127.0.0.1', '127.8.8.8', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'localhost', 'LocalHost'])
    t.doesNotThrow(() => check({ host }), host);
  const reachable = [
    ...['0.0.0.0', '192.168.1.4', '128.0.0.1', '::', '::2', '2001:db8::7', 'fe80::1%eth0', '::ffff:192.168.1.4'],
    ...['example.org', 'localhost.example.org', 'my-machine', 'localhost.', '127.1', '[::1]', ' 127.0.0.1'],
  ];
  for (const host of reachable) {
    t.throws(
      () => check({ host }),
      { name: 'SettingsError', message: /remoteControl\.host[\s\S]*tls[\s\S]*insecure/ },
      host,
    );
    t.doesNotThrow(() => check({ host, insecure: true }), host);
    t.doesNotThrow(() => check({ host, tls: { cert: 'c', key: 'k' } }), host);
  }
  t.end();
});

t.test('a redaction pattern that could take for ever is refused by name', (t) => {
  const parsed = settings.parse({ redaction: { patterns: ['fine', '(a+)+'] } });
  t.throws(
    () => checkSettings(parsed),
    new SettingsError(
      'redaction.patterns.1: "(a+)+" repeats something that itself varies, which can take for ever on some lines.',
    ),
  );
  t.end();
});

t.test('an exception is checked as a pattern that matches as a whole', (t) => {
  const check = (...exceptions: string[]) => checkSettings(settings.parse({ redaction: { exceptions } }));
  t.doesNotThrow(() => check(String.raw`203\.0\.113\.\d+`, 'play\\..*'));
  t.throws(() => check('fine', '(a+)+'), {
    name: 'SettingsError',
    message: /^redaction\.exceptions\.1: "\(a\+\)\+" repeats/,
  });
  t.throws(() => check('.*.*.*'), { name: 'SettingsError', message: /^redaction\.exceptions\.0: .* open-ended/ });
  t.throws(() => check('a)|(b'), { name: 'SettingsError', message: /not a regular expression/ });
  t.end();
});

t.test('an invalid pattern is refused by name', (t) => {
  const parsed = settings.parse({ redaction: { patterns: ['b{'] } });
  t.throws(() => checkSettings(parsed), { name: 'SettingsError', message: /^redaction\.patterns\.0: .*not a regular/ });
  t.end();
});

t.test('lists that cost time with every line or request are limited', (t) => {
  const many = (most: number) => Array.from({ length: most + 1 }, (_, index) => `entry${index}`);
  for (const [document, most] of [
    [{ redaction: { patterns: many(100) } }, 100],
    [{ redaction: { exceptions: many(1_000) } }, 1_000],
    [{ remoteControl: { allowedHosts: many(100) } }, 100],
    [{ remoteControl: { allowedOrigins: many(100) } }, 100],
    [{ backups: { exclude: many(1_000) } }, 1_000],
  ] as const)
    t.match(settings.safeParse(document).error?.issues, [{ message: `must have at most ${most} entries` }]);
  t.end();
});
