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
  const all = { secrets: [], start: 0, end: bytes.length - 1, ...options };
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
    'view-distance=10\n': 'view-distance=10\n',
    'passwords are bad\n': 'passwords are bad\n',
  };
  for (const [input, output] of Object.entries(cases)) {
    t.equal(await masked(input), output);
    t.equal(Buffer.byteLength(await masked(input)), Buffer.byteLength(input));
  }
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

t.test('files that are not text pass as they are', async (t) => {
  const bytes = Buffer.concat([Buffer.from([0, 1, 255]), Buffer.from('password=x')]);
  const passed = await Readable.from([bytes])
    .pipe(maskLines({ secrets: ['password'], start: 0, end: 99 }))
    .toArray();
  t.same(Buffer.concat(passed), bytes);
});
