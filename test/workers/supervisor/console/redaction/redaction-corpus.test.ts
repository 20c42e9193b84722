import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Redactor } from '../../../../../workers/supervisor/console/redaction/redactor.ts';

const CORPUS = join(import.meta.dirname, '../../../../fixtures/redaction-corpus.txt');
const SECRETS = ['Vq7-hunting-Owl', 'tok/with+odd=chars', 'minecraft', 'mc12'];
const FEWEST_LINES = 400;
const LOG_FORMATS = 11;

interface Labelled {
  readonly line: string;
  /** In order. */
  readonly secrets: readonly string[];
  /** The redacted line: the original with any replacement in brackets for each secret. */
  readonly expected: RegExp;
}

function label(source: string): Labelled {
  const text = source.replaceAll('␛', '\x1b');
  const pieces = text.split(/[«»]/);
  const secrets = pieces.filter((_, i) => i % 2 === 1);
  const expected = pieces.map((piece, i) => (i % 2 === 1 ? nameFor(piece) : literally(piece))).join('');
  return { line: pieces.join(''), secrets, expected: new RegExp(`^${expected}$`) };
}

/** Colours inside a secret move behind its replacement. */
function nameFor(secret: string): string {
  const colours = secret.match(/\x1b\[[0-9;]*m|§./g) ?? [];
  return `\\[[a-z-]+(?:-[0-9a-f]{6})?\\]${colours.map((colour) => literally(colour)).join('')}`;
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function withoutColours(text: string): string {
  return text.replaceAll(/\x1b\[[0-9;]*m|§./g, '');
}

const rows = readFileSync(CORPUS, 'utf8').split('\n').slice(0, -1);
const corpus = rows.filter((row) => !/^[#!] /.test(row)).map(label);
const newRedactor = () => new Redactor({ key: Buffer.alloc(32, 1), secrets: SECRETS });

t.test('the corpus is large, covers every log format, and at least half of its lines are clean', async (t) => {
  const clean = corpus.filter(({ secrets }) => secrets.length === 0).length;
  t.ok(corpus.length >= FEWEST_LINES);
  t.ok(rows.filter((row) => row.startsWith('# ')).length > LOG_FORMATS);
  t.ok(clean * 2 >= corpus.length, `${clean} of ${corpus.length} lines are clean`);
});

t.test('hides everything private in the corpus, and nothing else', async (t) => {
  const redactor = newRedactor();
  let secrets = 0;
  let missed = 0;
  let falseAlarms = 0;
  for (const { line, secrets: wanted, expected } of corpus) {
    secrets += wanted.length;
    const redacted = redactor.redactLine(Buffer.from(line)).toString();
    if (!expected.test(redacted)) {
      const left = wanted.filter((secret) => withoutColours(redacted).includes(withoutColours(secret))).length;
      missed += left;
      falseAlarms += left === 0 ? 1 : 0;
      t.fail(`${JSON.stringify(line)} became ${JSON.stringify(redacted)}`);
    }
  }
  const recall = ((secrets - missed) / secrets) * 100;
  t.comment(`${corpus.length} lines, ${secrets} secrets: recall ${recall.toFixed(2)} %, ${falseAlarms} false alarms`);
  t.equal(recall, 100);
  t.equal(falseAlarms, 0);
});

t.test('many lines at once come out as each alone, and a second pass changes nothing', async (t) => {
  const chunk = Buffer.from(corpus.map(({ line }) => `${line}\r\n`).join(''));
  const redacted = newRedactor().redact(chunk).toString();
  const alone = newRedactor();
  const oneByOne = corpus.map(({ line }) => `${alone.redactLine(Buffer.from(line))}\r\n`).join('');
  t.equal(redacted, oneByOne);
  t.equal(newRedactor().redact(Buffer.from(redacted)).toString(), redacted);
});
