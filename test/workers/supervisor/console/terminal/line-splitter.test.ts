import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import t from 'tap';
import { withTimeLimit } from '../../../../../shared/node/primitives/time-limit.ts';
import { Redactor } from '../../../../../workers/supervisor/console/redaction/redactor.ts';
import { LineSplitter, LONGEST_LINE } from '../../../../../workers/supervisor/console/terminal/line-splitter.ts';

/** Pushes the pieces and returns all lines, including the unfinished one. */
function split(...pieces: readonly (string | Buffer)[]): string {
  const splitter = new LineSplitter();
  let text = '';
  let count = 0;
  const take = (lines: ReturnType<LineSplitter['push']>) => {
    text += lines?.text.toString() ?? '';
    count += lines?.count ?? 0;
  };
  for (const piece of pieces) {
    take(splitter.push(Buffer.from(piece)));
  }
  take(splitter.flush());
  assert.equal(text.split('\r\n').length - 1, count, 'lines are counted');
  return text;
}

/** Pushes the pieces and returns everything that is shown. */
function redacted(pieces: readonly Buffer[]): string {
  const splitter = new LineSplitter();
  const redactor = new Redactor({ key: Buffer.alloc(32, 1), secrets: ['Xk29-fjQ7mmPz'] });
  let text = '';
  for (const piece of pieces) {
    const lines = splitter.push(piece);
    text += lines ? String(redactor.redact(lines.text)) : '';
  }
  const tail = splitter.flush();
  return text + (tail ? String(redactor.redact(tail.text)) : '');
}

const unfinished = (text: string) => {
  const splitter = new LineSplitter();
  splitter.push(Buffer.from(text));
  return splitter.unfinished().toString();
};

t.test('a line feed ends a line, with any number of carriage returns before it', async (t) => {
  t.equal(split('a\r\nb\r\r\nc\nd\r\r\r\n\r\n\n'), 'a\r\nb\r\nc\r\nd\r\n\r\n\r\n');
});

t.test('clean lines with colours and tabs pass through unchanged', async (t) => {
  const lines = Buffer.from(
    '\x1b[31;1m[12:34:56 ERROR]: x\x1b[m\r\n\tat a.b.C(D.java:1)\r\n\x1b[38;2;1;2;3mé§a日本\x1b[0m\r\n',
  );
  const found = new LineSplitter().push(lines);
  t.equal(found?.count, 3);
  t.same(found?.text, lines);
});

t.test('a redrawn line comes out as it finally looks', async (t) => {
  t.equal(split('10 %\r20 %\r100 %\r\n'), '100 %\r\n', 'a progress bar');
  t.equal(split('Loading...\rDone\r\n'), 'Doneing...\r\n', 'as a terminal would leave it');
  t.equal(split('Loading...\r\x1b[KDone\r\n'), 'Done\r\n');
  t.equal(split('abc\b\bX\r\n'), 'aXc\r\n', 'backspaces');
  t.equal(split('abcdef\x1b[3D\x1b[K\r\n'), 'abc\r\n', 'erased to the end');
  t.equal(split('abcdef\x1b[3D\x1b[1K\r\n'), '    ef\r\n', 'erased from the beginning');
  t.equal(split('abcdef\x1b[2G\x1b[2P\x1b[@X\r\n'), 'aXdef\r\n', 'deleted and inserted');
  t.equal(split('ab\x1b[5Gc\x1b[2Xd\r\n'), 'ab  cd\r\n', 'moved over blanks');
});

t.test('the JLine prompt of Paper leaves no trace', async (t) => {
  t.equal(
    split(
      '\x1b[?1h\x1b=\x1b[?2004h> ',
      '\r\x1b[K[12:34:56 INFO]: Done\r\n> ',
      '\x1b[2D\x1b[K[12:34:57 INFO]: Hi\x1b[m\r\n> ',
    ),
    '[12:34:56 INFO]: Done\r\n[12:34:57 INFO]: Hi\x1b[m\r\n> \r\n',
  );
});

t.test('the readline prompt of flying-squid leaves no trace', async (t) => {
  t.equal(
    split('\x1b[1G\x1b[0J> \x1b[3G', '\x1b[1G\x1b[0J[info] Server listening\r\n', '\x1b[1G\x1b[0J> \x1b[3G'),
    '[info] Server listening\r\n> \r\n',
  );
});

t.test("lines that Node's readline prints above its prompt come out clean", async (t) => {
  const output = new PassThrough();
  const prompt = createInterface({ input: new PassThrough(), output, terminal: true, prompt: '> ' });
  prompt.prompt();
  output.write('\r\x1b[0J[info] one\r\n');
  prompt.prompt(true);
  prompt.write('say hi');
  output.write('\x1b[2K\x1b[1G[info] two\r\n');
  prompt.close();
  t.equal(split(output.read()), '[info] one\r\n[info] two\r\n');
});

t.test('redrawn text has the colours that a terminal shows', async (t) => {
  t.equal(split('\x1b[31mred\rg\x1b[32mreen\x1b[0m\r\n'), '\x1b[31mg\x1b[32mreen\x1b[0m\r\n');
  t.equal(split('\x1b[0m\r[12:34:56] Hello\r\n'), '\x1b[0m[12:34:56] Hello\r\n', "the previous line's reset is kept");
  t.equal(split('x\r\x1b[1;38;5;208mA\x1b[22;39mB\r\n'), '\x1b[1;38;5;208mA\x1b[22;39mB\r\n');
});

t.test('leaves out titles, modes, bells and other control characters', async (t) => {
  t.equal(split('\x1b]0;Title\x07a\x1b]2;x\x1b\\b\x07\x00c\x7f\x1b(B\x1b[?25ld\x1bPq\x1b\\e\r\n'), 'abcde\r\n');
  t.equal(split('a\u009b31mb\u0085c\u009d0;x\u009cd\r\n'), 'a\x1b[31mbcd\r\n', 'sequences in one character each (C1)');
});

t.test('joins characters that a read split, and shows invalid UTF-8 as U+FFFD', async (t) => {
  const bytes = Buffer.from('Grüße 日本 😀\r\n');
  for (let cut = 0; cut < bytes.length; cut++) {
    t.equal(split(bytes.subarray(0, cut), bytes.subarray(cut)), 'Grüße 日本 😀\r\n');
  }
  const broken = Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82, 0x63, 0xf0, 0x9f, 0x98, 0x0a]);
  t.equal(split(broken), `${new TextDecoder().decode(broken.subarray(0, -1))}\r\n`);
});

t.test('a line that is too long is cut after a word, and states its length', async (t) => {
  const long = 'word '.repeat(LONGEST_LINE);
  const [first, second, rest] = redacted([Buffer.from(`${long}\r\nnext\r\n`)]).split('\r\n');
  t.ok(first!.length > LONGEST_LINE - 1200 && first!.length <= LONGEST_LINE);
  t.match(first, /^(?:word )+ \[gamekeeper\] line cut, it has \d+ characters$/);
  t.match(first, `has ${long.length} characters`);
  t.equal(second, 'next');
  t.equal(rest, '');
  t.equal(split(`${'x'.repeat(LONGEST_LINE - 1)}\r\n`).length, LONGEST_LINE + 1, 'the longest line that is not cut');
});

t.test('shows nothing of a secret that was cut in two', async () => {
  const secret = fc.constantFrom(
    ...[
      ['203.0.113.7', '203.0.113.7'],
      ['[2001:db8:0:0:0:0:0:1]:54321', '2001:db8:0'],
      ['steve.jones@example.com', 'steve.jones'],
      ['069a79f4-44e9-4726-a5be-fca90e38aaf5', '069a79f4-44e9'],
      ['mysql://root:correct-horse@db/x', 'root:correct-horse'],
      ['Xk29-fjQ7mmPz', 'Xk29-fjQ7mmPz'],
      ['command: /login correct horse', 'correct horse'],
      ['%2Fhome%2Fmarta%2F', 'marta'],
      ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N', 'eyJzdWIiOiIx'],
      ['-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0', 'MIIEvQIBADANBgkqhkiG9w0'],
    ].map(([text = '', hidden = '']) => ({ text, hidden })),
  );
  const separator = fc.constantFrom(' ', ',', '(', '|');
  const lookedAt = fc.constantFrom(0, 1024, 1024 + 128);
  fc.assert(
    fc.property(secret, separator, lookedAt, fc.nat(), ({ text, hidden }, filler, back, place) => {
      const before = filler.repeat(LONGEST_LINE - back - (place % (text.length + 2)));
      const shown = redacted([Buffer.from(`${before}${text}${filler.repeat(1500)}\n`)]);
      assert.ok(!shown.includes(hidden.slice(0, 4)) && !shown.includes(hidden.slice(-4)), shown.slice(-200));
      assert.match(shown, / \[gamekeeper\] line cut/);
    }),
    { numRuns: 400 },
  );
});

t.test('a flood without a line end takes no more memory than the longest line', async (t) => {
  const splitter = new LineSplitter();
  for (let i = 0; i < 64; i++) {
    splitter.push(Buffer.alloc(64 * 1024, 'spin\rning '));
  }
  const lines = splitter.push(Buffer.from('\r\n'));
  t.equal(lines?.count, 1);
  t.ok(lines!.text.length < LONGEST_LINE + 100);
});

t.test('returns the unfinished line as a terminal shows it now', async (t) => {
  t.equal(unfinished('done\r\n\x1b[1G\x1b[0J> \x1b[3G'), '> ');
  t.equal(unfinished('10 %\r20 %'), '20 %');
  t.equal(unfinished('caf\xc3'.replace('\xc3', '')), 'caf');
  t.equal(unfinished('done\r\n'), '');
});

t.test('an unfinished line at the end of the output is the last line', async (t) => {
  t.equal(split('a\r\nb'), 'a\r\nb\r\n');
  t.equal(split('a\r\n\x1b[?2004l\r\x1b[K'), 'a\r\n', 'an invisible line is dropped');
});

const fragment = fc.constantFrom(
  ...[
    'a',
    'word ',
    '\r',
    '\n',
    '\r\n',
    '\r\r\n',
    '\t',
    '\b',
    '\x1b[31m',
    '\x1b[0m',
    '\x1b[K',
    '\x1b[1G',
    '\x1b[2D',
    '\x1b[?25l',
    '\x1b]0;t\x07',
  ],
  ...[
    'é',
    '日',
    '😀',
    '§a',
    '> ',
    '\x1b[38;5;1m',
    '\x1b',
    '\x1b[',
    '\u009b',
    '203.0.113.7',
    'password=x',
    '/login a b',
    '[12:34:56 INFO]: ',
  ],
  ...['\n[gamekeeper] x', '[game', 'keeper] ', '\u200b', '\u202e', '\u2028', '\ufeff', '\u{e0041}', '\u2500', '，'],
  ...['\u034f', '\u115f', '\u180b', '\u3164', 'ㅥ', '\uffa0', '\u{1bca0}', '\u{1d173}', '\u{e0100}', '𝄞', '❤\ufe0f'],
  ...['-----BEGIN RSA PRIVATE KEY-----\r\n', 'MIIEpAIBAAKCAQEA\r\n', '-----END RSA PRIVATE KEY-----\r\n'],
);
const stream = fc.oneof(
  { weight: 3, arbitrary: fc.array(fragment, { maxLength: 30 }).map((parts) => Buffer.from(parts.join(''))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
);
const cuts = fc.array(fc.nat(), { maxLength: 12 });

function inPieces(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return sorted.slice(1).map((end, i) => bytes.subarray(sorted[i]!, end));
}

t.test('the lines do not depend on how the bytes are split into reads', async () => {
  fc.assert(
    fc.property(stream, cuts, (bytes, places) => assert.equal(split(...inPieces(bytes, places)), split(bytes))),
    { numRuns: 5000 },
  );
});

t.test('the redacted text does not depend on how the bytes are split into reads', async () => {
  fc.assert(
    fc.property(stream, cuts, (bytes, places) => assert.equal(redacted(inPieces(bytes, places)), redacted([bytes]))),
    { numRuns: 5000 },
  );
});

t.test('lines beyond the limit do not depend on how the bytes are split into reads', async () => {
  const filler = fc.constantFrom(
    'x'.repeat(LONGEST_LINE - 3),
    'word '.repeat(LONGEST_LINE / 4),
    'é'.repeat(LONGEST_LINE / 2),
  );
  fc.assert(
    fc.property(stream, filler, stream, cuts, (before, long, after, places) => {
      const bytes = Buffer.concat([before, Buffer.from(long), after]);
      assert.equal(split(...inPieces(bytes, places)), split(bytes));
      assert.equal(redacted(inPieces(bytes, places)), redacted([bytes]));
    }),
    { numRuns: 60 },
  );
});

t.test('a line that is moved or repeated at every few bytes takes no time', async (t) => {
  // Each of them would take minutes.
  for (const sequence of ['\x1b[@', '\x1b[P\x1b[@', '\x1b[9999@', '\x1b[65535b', '\r\x1b[65535b']) {
    const hostile = `${'x'.repeat(LONGEST_LINE - 10)}\r${sequence.repeat(100_000)}\r\n`;
    const line = withTimeLimit(20_000, () => split(hostile));
    t.ok(line.endsWith('\r\n'), JSON.stringify(sequence));
  }
  t.equal(split(`${'x'.repeat(100)}\r${'\x1b[@a'.repeat(1_000)}\r\n`), `${'a'.repeat(1_000)}${'x'.repeat(100)}\r\n`);
});

t.test('only visible text, tabs and colours come out, and no line that looks like a notice', async () => {
  const invisible = /[\u2028\u2029\ufff9-\ufffb]|(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/u;
  fc.assert(
    fc.property(stream, (bytes) => {
      const text = split(bytes);
      assert.match(text, /^(?:[^\p{Cc}]|\t|\r\n|\x1b\[[0-9;:]*m)*$/u);
      assert.doesNotMatch(text, invisible);
      assert.doesNotMatch(text.replace(/\x1b\[[0-9;:]*m/g, ''), /^[ \t]*\[gamekeeper\]/im);
    }),
    { numRuns: 5000 },
  );
});

t.test('invisible characters are shown, and other characters with the same first bytes stay', async (t) => {
  t.equal(split('a\u202eb\u200b\u{e0041}\r\n'), 'a<U+202E>b<U+200B><U+E0041>\r\n');
  const harmless = '— “quotes” ┌─┐ ，。！ ﷼ é§ ᠮ \u{f0000} 👨 العربية ㅥㅣ 𝄞 ❤\ufe0f\r\n';
  t.equal(split(harmless), harmless);
  const fillers = 'a\u3164b\u115f\uffa0\u034f\u{1bca0}\u{1d173}\u{e0100}\r\n';
  t.equal(split(fillers), 'a<U+3164>b<U+115F><U+FFA0><U+034F><U+1BCA0><U+1D173><U+E0100>\r\n');
  t.equal(split('ㅥ\u3164\r\n'), 'ㅥ<U+3164>\r\n');
  t.equal(unfinished('> \u202e'), '> <U+202E>');
});

t.test('a line that looks like a notice is marked as the game’s', async (t) => {
  t.equal(
    split('[gamekeeper] a\r\n[12:00:00] [gamekeeper] b\r\n[game] c\r\n'),
    '[game] [gamekeeper] a\r\n[12:00:00] [gamekeeper] b\r\n[game] c\r\n',
  );
  t.equal(unfinished('[gamekeeper] a'), '[game] [gamekeeper] a');
});
