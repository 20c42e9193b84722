import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { Redactor } from '../../../../../workers/supervisor/console/redaction/redactor.ts';

const key = Buffer.alloc(32, 1);
const redact = (line: string, options: Partial<ConstructorParameters<typeof Redactor>[0]> = {}) =>
  new Redactor({ key, ...options }).redactLine(Buffer.from(line)).toString();
const withoutColours = (text: string) => text.replaceAll(/\x1b\[[0-9;]*m/g, '');

const corpus = readFileSync(join(import.meta.dirname, '../../../../fixtures/redaction-corpus.txt'), 'utf8')
  .split('\n')
  .filter((row) => row !== '' && !/^[#!] /.test(row))
  .map((row) => row.replaceAll(/[«»]/g, '').replaceAll('␛', '\x1b'));

t.test('40 characters beside the id of an AWS access key are its secret, whatever stands between', async (t) => {
  const secret = `wJalrXUtnFEMI/K7MDENG/bPxRfiCY${'EXAMPLEKEY'}`;
  for (const line of [
    `aws AKIAIOSFODNN7EXAMPLE ${secret}`,
    `AKIAIOSFODNN7EXAMPLE:${secret}`,
    `${secret} AKIAIOSFODNN7EXAMPLE`,
  ])
    t.notMatch(redact(line), secret.slice(0, 20), line);
  t.match(redact(`commit ${secret}`), secret, 'alone it may be anything');
});

/** Parts of secrets and of similar text, to combine at random. */
const fragment = fc.constantFrom(
  ...[
    '203.0.113.7',
    '127.0.0.1',
    ':54321',
    '/',
    '[',
    ']',
    '2001:db8::1',
    '::1',
    '::',
    '12:34:56',
    '1.2.3.4-x',
    'version ',
  ],
  ...[
    'password',
    '=',
    ': ',
    '"',
    '--token',
    ' ',
    ' ',
    'hunter2',
    'x',
    '@example.org',
    'steve',
    '-',
    '--',
    '.',
    ',',
    '&',
  ],
  ...[
    '/login ',
    'command: ',
    '/home/',
    'C:\\Users\\',
    'Jo Doe',
    '\\',
    '069a79f4-44e9-4726-a5be-fca90e38aaf5',
    'deadbeef',
  ],
  ...[
    'eyJhbGciOi',
    'ghp_',
    'AKIA',
    'Bearer ',
    'Authorization: ',
    'Cookie: a=',
    '02:42:ac:11:00:02',
    'é',
    '日本',
    '§a',
    '\t',
  ],
  ...[
    '-----BEGIN RSA PRIVATE KEY-----',
    '-----END RSA PRIVATE KEY-----',
    'MIIEpAIBAAKCAQEA7bq2',
    'jdbc:mysql://',
    'u:p@',
    'password is ',
  ],
);
const line = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(''));
const colour = fc.constantFrom('\x1b[31m', '\x1b[0m', '\x1b[38;2;1;2;3m', '\x1b[m');

t.test('an address has one pseudonym per instance in all its spellings, and another in other instances', async (t) => {
  const name = (text: string) => /\[ip-[0-9a-f]{6}\]/.exec(redact(text))?.[0];
  const first = name('Steve (/203.0.113.7:1024) lost connection');
  t.match(first, /^\[ip-[0-9a-f]{6}\]$/);
  t.equal(name('203.0.113.7'), first);
  t.equal(name('/0:0:0:0:0:ffff:cb00:7107'), first, 'mapped into IPv6');
  t.not(name('203.0.113.8'), first);
  const long = name('/[2001:db8:0:0:0:0:0:1]:54321');
  t.equal(name('/2001:db8:0:0:0:0:0:1:54321'), long, 'as Java 8 writes it');
  t.equal(name('2001:DB8::1'), long);
  t.equal(name('?ip=2001%3Adb8%3A%3A1&x'), long, 'in a URL');
  t.equal(name('host-203-0-113-7.isp.example.net'), first, 'in a host name');
  t.equal(name('/[::ffff:203.0.113.7]:54321'), first);
  t.not(redact('203.0.113.7', { key: Buffer.alloc(32, 2) }), first, 'another instance has another key');
  t.not(first?.includes('203'), true);
});

t.test('a UUID has one pseudonym with and without dashes, and the player name stays', async (t) => {
  const dashed = redact('UUID of player Steve is 069a79f4-44e9-4726-a5be-fca90e38aaf5');
  t.match(dashed, /^UUID of player Steve is \[uuid-[0-9a-f]{6}\]$/);
  t.equal(redact('UUID of player Steve is 069A79F444E94726A5BEFCA90E38AAF5'), dashed);
});

t.test('a hardware address and an e-mail address have one pseudonym in all their spellings', async (t) => {
  const mac = redact('02:42:ac:11:00:02');
  t.match(mac, /^\[mac-[0-9a-f]{6}\]$/);
  t.equal(redact('02-42-AC-11-00-02'), mac);
  t.equal(redact('0242.ac11.0002'), mac);
  const mail = redact('steve@example.com');
  t.equal(redact('Steve%40Example.com'), mail);
  t.equal(redact(String.raw`steve\u0040example.com`), mail);
});

t.test('pseudonyms do not change during a flood of other addresses', async (t) => {
  const redactor = new Redactor({ key });
  const name = () => redactor.redactLine(Buffer.from('203.0.113.7')).toString();
  const before = name();
  for (let i = 0; i < 10_000; i++) {
    redactor.redactLine(Buffer.from(`10.${i >> 8}.${i & 255}.9`));
  }
  t.equal(name(), before);
});

t.test('text with nothing to hide comes back as the same buffer', async (t) => {
  const text = Buffer.from('[12:34:56 INFO]: \x1b[32mDone\x1b[0m (1.234s)!\r\n'.repeat(100));
  t.equal(new Redactor({ key }).redact(text), text);
});

t.test('colours at any position do not change what is hidden', async () => {
  const anyLine = fc.oneof(
    line.filter((text) => !text.includes('§')),
    fc.constantFrom(...corpus.map(withoutColours).filter((text) => !text.includes('§'))),
  );
  fc.assert(
    fc.property(anyLine, fc.array(fc.tuple(fc.nat(), colour), { maxLength: 6 }), (plain, colours) => {
      let coloured = [...plain];
      for (const [place, sequence] of colours) {
        const at = place % (coloured.length + 1);
        coloured = [...coloured.slice(0, at), sequence, ...coloured.slice(at)];
      }
      assert.equal(withoutColours(redact(coloured.join(''))), redact(plain));
    }),
    { numRuns: 2000 },
  );
});

t.test('colours inside a secret are kept for the text after it', async (t) => {
  t.equal(redact('\x1b[31mpassword=hun\x1b[32mter2\x1b[0m ok'), '\x1b[31mpassword=[secret]\x1b[32m\x1b[0m ok');
  t.match(redact('203.0.§c113.7§r'), /^\[ip-[0-9a-f]{6}\]§c§r$/);
});

t.test('many lines at once come out as each alone', async () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const alone = new Redactor({ key });
      const expected = lines.map((text) => `${alone.redactLine(Buffer.from(text))}\r\n`).join('');
      const actual = new Redactor({ key }).redact(Buffer.from(lines.map((text) => `${text}\r\n`).join(''))).toString();
      assert.equal(actual, expected);
    }),
    { numRuns: 2000 },
  );
});

t.test('text longer than one piece is redacted to its end', async (t) => {
  const lines = Array.from(
    { length: 5000 },
    (_, i) => `Player${i}[/198.51.100.7:${1024 + i}] joined ${'x'.repeat(i % 60)}\r\n`,
  );
  const redacted = new Redactor({ key }).redact(Buffer.from(lines.join(''))).toString();
  t.notMatch(redacted, /198\.51/);
  t.equal(redacted.split('\r\n').length, 5001);
  t.match(redacted, /Player4999\[\/\[ip-/);
});

t.test('redacts a line of any length', async (t) => {
  const long = `${'x '.repeat(200_000)}203.0.113.7 ${'y'.repeat(200_000)}`;
  const redacted = redact(long);
  t.notMatch(redacted, /203\.0\.113\.7/);
  t.ok(redacted.endsWith('y'.repeat(1000)));
});

t.test('hides known secrets anywhere, short and common ones only as values', async (t) => {
  const secrets = ['Xk29-fjQ7mmPz', 'mc12', 'minecraft', 'pa"ss\\word/1'];
  t.equal(redact('try Xk29-fjQ7mmPz!', { secrets }), 'try [secret]!');
  t.equal(redact('inXk29-fjQ7mmPzside', { secrets }), 'in[secret]side');
  t.equal(redact('minecraft:stone, mc12 servers', { secrets }), 'minecraft:stone, mc12 servers');
  t.equal(redact('level=minecraft x: "mc12" y=mc123', { secrets }), 'level=[secret] x: "[secret]" y=mc123');
  t.equal(redact(JSON.stringify({ a: 'pa"ss\\word/1' }), { secrets }), '{"a":"[secret]"}', 'as JSON writes it');
  t.equal(redact('?a=pa%22ss%5Cword%2F1&b', { secrets }), '?a=[secret]&b', 'as a URL writes it');
  t.equal(redact('a=Xk29\\-fjQ7mmPz Xk29\\u002dfjQ7mmPz', { secrets }), 'a=Xk29\\-fjQ7mmPz [secret]');
});

t.test('hides a secret of several lines line by line, and a long one also in a line that was cut', async (t) => {
  const key = ['-----BEGIN X-----', 'b3BlbnNzaC1rZXktdjE', 'AAAABG5vbmUAAAAEbm9u', 'end', '-----END X-----'].join('\n');
  t.equal(redact('key b3BlbnNzaC1rZXktdjE, AAAABG5vbmUAAAAEbm9u', { secrets: [key] }), 'key [secret], [secret]');
  t.equal(redact('the end -----END X-----', { secrets: [key] }), 'the end -----END X-----');
  const long = Array.from({ length: 300 }, (_, i) => `q${(i * 7919) % 65_521}_`).join('');
  t.equal(redact(`a${long}b`, { secrets: [long] }), 'a[secret]b');
  const cut = `${'x,'.repeat(5000)}${long.slice(0, 1300)}\0 [gamekeeper] line cut, it has 99999 characters`;
  t.match(
    redact(cut, { secrets: [long] }),
    /^(?:x,)+(?:\[secret\])? \[gamekeeper\] line cut, it has 99999 characters$/,
  );
});

t.test("the owner's patterns hide more, and exceptions show more", async (t) => {
  const owner = { patterns: [/Operation \p{L}+/u], exceptions: [/203\.0\.113\.\d+(?::\d+)?/, /bot@example\.org/] };
  t.equal(redact('grüße, Operation Übermut!', { owner }), 'grüße, [redacted]!');
  t.match(
    redact('203.0.113.7:25565 198.51.100.1 bot@example.org', { owner }),
    /^203\.0\.113\.7:25565 \[ip-\w+\] bot@example\.org$/,
  );
  t.equal(redact('\x1b[1mOper\x1b[0mation X', { owner }), '\x1b[1m[redacted]\x1b[0m');
});

t.test("an owner's pattern hides exactly its match after characters that take two code units", async (t) => {
  const owner = { patterns: [/token-[a-z]{6}/] };
  // Half of the emoji is on each side of the place where the line is searched in a second part.
  const before = `${'a'.repeat(383)}😀${'b'.repeat(150)} `;
  t.equal(redact(`${before}token-qwerty zz`, { owner }), `${before}[redacted] zz`);
});

t.test("an owner's pattern matches in a line of any length, in bounded time", async (t) => {
  const owner = { patterns: [/Operation \p{L}+/u, /x+y/] };
  const redactor = new Redactor({ key, owner });
  const long = `${'x'.repeat(30_000)} Operation Übermut ${'x'.repeat(30_000)}`;
  const started = process.cpuUsage();
  const redacted = redactor.redactLine(Buffer.from(long)).toString();
  const { user } = process.cpuUsage(started);
  t.equal(redacted, `${'x'.repeat(30_000)} [redacted] ${'x'.repeat(30_000)}`);
  t.ok(user < 2_000_000, 'microseconds of CPU time; the whole line at once takes several times as long');
});

t.test('redacting a separate text does not affect the stream', async (t) => {
  const redactor = new Redactor({ key });
  redactor.redactLine(Buffer.from('-----BEGIN RSA PRIVATE KEY-----'));
  t.match(
    redactor.redactText('There are 0 of 20 players\nSteve is at 203.0.113.7'),
    /^There are 0 of 20 players\nSteve is at \[ip-\w+\]$/,
  );
  t.equal(redactor.redactLine(Buffer.from('MIIEpAIBAAKCAQEA7bq2')).toString(), '[private-key]');
  t.equal(
    redactor.redactLine(Buffer.from('-----END RSA PRIVATE KEY-----')).toString(),
    '-----END RSA PRIVATE KEY-----',
  );
  t.equal(redactor.redactLine(Buffer.from('Hello')).toString(), 'Hello');
});

t.test('a private key stays hidden if the secrets are replaced in the middle of it', async (t) => {
  const redactor = new Redactor({ key, secrets: ['first-long-secret'] });
  redactor.redactLine(Buffer.from('-----BEGIN RSA PRIVATE KEY-----'));
  redactor.hideSecrets(['second-long-secret']);
  t.equal(redactor.redactLine(Buffer.from('MIIEpAIBAAKCAQEA7bq2')).toString(), '[private-key]');
  redactor.redactLine(Buffer.from('-----END RSA PRIVATE KEY-----'));
  t.equal(
    redactor.redactLine(Buffer.from('a first-long-secret, a second-long-secret')).toString(),
    'a first-long-secret, a [secret]',
  );
});

t.test('a private key without an end does not hide the rest of the log', async (t) => {
  const redactor = new Redactor({ key });
  redactor.redactLine(Buffer.from('-----BEGIN RSA PRIVATE KEY-----'));
  t.equal(
    redactor.redactLine(Buffer.from('[12:34:56 INFO]: Steve joined the game')).toString(),
    '[12:34:56 INFO]: Steve joined the game',
  );
  for (let i = 0; i < 300; i++) {
    redactor.redactLine(Buffer.from('x'));
  }
  t.equal(redactor.redactLine(Buffer.from('word')).toString(), 'word');
});

t.test('the shown part of an unfinished line stays the same, whatever follows', async (t) => {
  const secrets = ['open sesame now', 'Xk29-fjQ7mmPz'];
  const words = fc.array(
    fc.oneof(fragment, fc.constantFrom(' ', ' ', 'open sesame ', 'now', '" ', 'Digest ', 'x=1 ', 'b c')),
    { maxLength: 14 },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        words.map((parts) => parts.join('')),
        fc.constantFrom(...corpus),
      ),
      fc.nat(),
      (text, place) => {
        const whole = Buffer.from(text);
        const begun = whole.subarray(0, place % (whole.length + 1));
        const shown = new Redactor({ key, secrets }).settled(begun);
        const finished = new Redactor({ key, secrets }).redactLine(whole);
        assert.ok(
          finished.subarray(0, shown.length).equals(shown),
          `${JSON.stringify(`${begun}`)} was shown as ${JSON.stringify(`${shown}`)}, but became ${JSON.stringify(`${finished}`)}`,
        );
      },
    ),
    {
      numRuns: 5000,
      // A colour that has begun may be in a secret, and a hit may end before the end of its word.
      examples: [
        ['open sesame §anow', Buffer.byteLength('open sesame §')],
        ['password is 日本u:p@ now', Buffer.byteLength('password is 日本u:p@ ')],
      ],
    },
  );
  t.equal(new Redactor({ key }).settled(Buffer.from('> ')).toString(), '> ');
  t.equal(
    new Redactor({ key }).settled(Buffer.from('\x1b[32mDownloading\x1b[0m 45')).toString(),
    '\x1b[32mDownloading\x1b[0m ',
  );
});
