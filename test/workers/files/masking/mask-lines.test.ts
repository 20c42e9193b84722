import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { firstToMask, type MaskOptions, maskLines } from '../../../../workers/files/masking/mask-lines.ts';

async function masked(
  input: string | Buffer,
  options: Partial<MaskOptions> & { chunk?: number } = {},
): Promise<string> {
  const bytes = Buffer.from(input);
  const { chunk = bytes.length || 1 } = options;
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, n) =>
    bytes.subarray(n * chunk, (n + 1) * chunk),
  );
  const all = { readability: 'text' as const, secrets: [], start: 0, end: bytes.length - 1, ...options };
  return text(Readable.from(chunks).pipe(maskLines(all)));
}

t.test('values of keys that are named like a secret are replaced at the same length', async (t) => {
  const cases: Record<string, string> = {
    'rcon.password=hunter22\n': 'rcon.password=********\n',
    'management-server-secret=abc\r\n': 'management-server-secret=***\r\n',
    'password: "a \\" b"\n': 'password: "******"\n',
    "  token: 'x y' # why\n": "  token: '***' # why\n",
    '{"apiKey":"k1","name":"n","webhook_url":"https://x/y"}': '{"apiKey":"**","name":"n","webhook_url":"***********"}',
    'discord-token = abc.def\n': 'discord-token = *******\n',
    'url: mysql://me:p4ss@db/x\n': 'url: mysql://me:****@db/x\n',
    'DB_PASSWORD_PROD = #a,b;c\n': 'DB_PASSWORD_PROD = ******\n',
    'password1=x,y\n': 'password1=***\n',
    'db_pass: x\nAPI key = abc\npasswordHash=1f\n': 'db_pass: *\nAPI key = ***\npasswordHash=**\n',
    'password: |\n  one two\n\n  three\nname: x\n': 'password: |\n  *******\n\n  *****\nname: x\n',
    'secret:\n  abc\nname: x\n': 'secret:\n  ***\nname: x\n',
    'tokens:\n- abc\n- d e\nname: x\n': 'tokens:\n*****\n*****\nname: x\n',
    'tokens:\n  discord: abc\n  enabled: true\nname: x\n': 'tokens:\n  discord: ***\n  enabled: true\nname: x\n',
    '{\n "password":\n  "abc",\n "name": "n"\n}': '{\n "password":\n  ******\n "name": "n"\n}',
    '{\n "tokens": {\n  "a": "xyz",\n  "b": false\n },\n "name": "n"\n}':
      '{\n "tokens": {\n  "a": "***",\n  "b": false\n },\n "name": "n"\n}',
    'password=abc\\\n  def\nname=x\n': 'password=****\n  ***\nname=x\n',
    '<Password>x y</Password><name>n</name>': '<Password>***</Password><name>n</name>',
    'Authorization: Bearer abcdefgh.ijk\n': 'Authorization: Bearer ************\n',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----\nname: x\n':
      '-----BEGIN RSA PRIVATE KEY-----\n****\n****\n-----END RSA PRIVATE KEY-----\nname: x\n',
    '"k": "-----BEGIN PRIVATE KEY-----\\nMI\\n-----END PRIVATE KEY-----"\nname: x\n':
      '"k": "-----BEGIN PRIVATE KEY-----******-----END PRIVATE KEY-----"\nname: x\n',
    'kennwort: abc\nпароль=abc\n密码: abc\nmein-passwort = abc\n':
      'kennwort: ***\nпароль=***\n密码: ***\nmein-passwort = ***\n',
    'session-id: abcdef\nworld-id: abcdef\n': 'session-id: ******\nworld-id: abcdef\n',
    'Authorization: Digest username="a", response="b"\n': `Authorization: Digest ${'*'.repeat(26)}\n`,
    'größe: 12\nname: ü\n': 'größe: 12\nname: ü\n',
    'view-distance=10\n': 'view-distance=10\n',
    'passwords are bad\n': 'passwords are bad\n',
  };
  for (const [input, output] of Object.entries(cases)) {
    t.equal(await masked(input), output);
    t.equal(Buffer.byteLength(await masked(input)), Buffer.byteLength(input));
  }
});

t.test('secrets are hidden by their shape, whatever their key', async (t) => {
  const secrets = [
    `ghp_${'a1'.repeat(18)}`,
    'xoxb-1234567890-abcdef',
    `sk_live_${'a1'.repeat(12)}`,
    'AKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    `1234567890:${'Ab-'.repeat(11)}Ab`,
  ];
  for (const secret of secrets) {
    const hidden = await masked(`note: see ${secret}, thanks\n`);
    t.equal(hidden, `note: see ${'*'.repeat(secret.length)}, thanks\n`);
  }
  t.equal(
    await masked(`url: https://discord.com/api/webhooks/123456789012345678/${'x'.repeat(60)}\n`),
    `url: https://discord.com/api/webhooks/123456789012345678/${'*'.repeat(60)}\n`,
  );
  const commit = 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY12';
  t.equal(await masked(`at AKIAIOSFODNN7EXAMPLE ${commit}\n`), `at ${'*'.repeat(20)} ${'*'.repeat(40)}\n`);
  t.equal(await masked(`commit ${commit}\n`), `commit ${commit}\n`, 'alone it may be anything');
});

t.test('secrets of the settings are hidden wherever they are', async (t) => {
  t.equal(await masked('login with pässword1 now', { secrets: ['pässword1'] }), 'login with ********** now');
});

t.test('a secret does not show at the edges of chunks, ranges and long lines', async (t) => {
  const file = `${'x'.repeat(70_000)} password="${'s'.repeat(2_000)}" ${'y'.repeat(70_000)}\ntoken=abcdefgh\n`;
  const expected = file.replace(/s{2000}/, '*'.repeat(2_000)).replace('abcdefgh', '********');
  for (const chunk of [1_000, 4_096, 65_536, 69_995])
    t.ok((await masked(file, { chunk })) === expected, `chunks of ${chunk}`);
  const start = file.indexOf('efgh');
  const around = file.slice(firstToMask(start));
  t.equal(await masked(around, { start, end: start + 3, chunk: 4_096 }), '****');
});

t.test('secrets of the settings are found as files write them', async (t) => {
  const secret = 'a:ü"b';
  for (const written of ['a:ü"b', 'a\\:ü"b', 'a\\:\\u00fc"b', 'a\\:\\u00FC"b', 'a:ü\\"b'])
    t.equal(await masked(`x ${written} y`, { secrets: [secret] }), `x ${'*'.repeat(Buffer.byteLength(written))} y`);
});

t.test('of binary files only the secrets of the settings are hidden, of hidden ones everything', async (t) => {
  const bytes = 'password=x\0hunter22\n';
  t.equal(await masked(bytes, { readability: 'binary', secrets: ['hunter22'] }), 'password=x\0********\n');
  t.equal(await masked('ab\ncd', { readability: 'hidden' }), '**\n**');
});

t.test('a file with any number of different keys is masked', async (t) => {
  const lines = Array.from({ length: 10_000 }, (_, number) => [`name${number}=abc`, `password${number}=abc`]).flat();
  const expected = lines.map((line) => line.replace(/^(password\d+)=abc/, '$1=***'));
  for (let time = 0; time < 2; time++) t.ok((await masked(lines.join('\n'))) === expected.join('\n'));
});
