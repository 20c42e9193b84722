import { Redactor } from '../../workers/supervisor/console/redactor.ts';
import { realisticLog } from './realistic-log.ts';
import type { BenchRow } from './row.ts';
import { redactByRegexps } from './rules-as-regexps.ts';

const MEGABYTE = 1_000_000;
/** Distinct bytes, gone through until there are enough: more than the caches and the branch predictor hold. */
const DISTINCT = 32 * MEGABYTE;
const TOTAL = 256 * MEGABYTE;
/** What a flooded pseudo-terminal delivers once the supervisor is busy. */
const CHUNK = 64 * 1024;
/** The regular expressions are slow: a part of the log tells their speed. */
const FOR_REGEXPS = 16 * MEGABYTE;
const GOAL_PER_CPU_SECOND = 300;
const GOAL_WORST_MS = 15;
const LONGEST_LINE = 64 * 1024;

/** R1: megabytes of realistic log redacted per CPU second, and the worst line of 64 KiB. */
export async function run(): Promise<BenchRow[]> {
  const chunks = wholeLines(realisticLog(DISTINCT), CHUNK);
  const redactor = newRedactor();
  measure(chunks, DISTINCT, (chunk) => redactor.redact(chunk)); // lets the compiler finish
  const own = measure(chunks, TOTAL, (chunk) => redactor.redact(chunk));
  const few = chunks.slice(0, FOR_REGEXPS / CHUNK);
  const regexps = measure(few, FOR_REGEXPS, redactByRegexps);
  const worst = worstLine();
  return [
    {
      id: 'R1',
      what: `redaction of ${TOTAL / MEGABYTE} MB of realistic log`,
      figure: round(own),
      unit: 'MB per CPU second',
      comparedWith: 'regular expressions one after another',
      reference: round(regexps),
      ratio: round(own / regexps),
      goal: `at least ${GOAL_PER_CPU_SECOND}`,
      pass: own >= GOAL_PER_CPU_SECOND,
    },
    {
      id: 'R1',
      what: `worst line of 64 KiB (${worst.name})`,
      figure: round(worst.ms),
      unit: 'ms',
      goal: `at most ${GOAL_WORST_MS}`,
      pass: worst.ms <= GOAL_WORST_MS,
    },
  ];
}

function newRedactor(): Redactor {
  return new Redactor({ key: Buffer.alloc(32, 7), secrets: ['kT9x-Qw2mZ_vv81', 'minecraft', 'f3a9c1d07be2'] });
}

/** Megabytes per second of user and system time. */
function measure(chunks: readonly Buffer[], bytes: number, redact: (chunk: Buffer) => Buffer): number {
  let done = 0;
  const before = process.cpuUsage();
  for (let i = 0; done < bytes; i = (i + 1) % chunks.length) {
    redact(chunks[i]!);
    done += chunks[i]!.length;
  }
  const { user, system } = process.cpuUsage(before);
  return done / (user + system);
}

function wholeLines(log: Buffer, size: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let from = 0; from < log.length; ) {
    const end = log.lastIndexOf(0x0a, Math.min(from + size, log.length) - 1) + 1;
    chunks.push(log.subarray(from, end));
    from = end;
  }
  return chunks;
}

/** Lines made to be slow: everything that a rule might start over for, again and again. */
const NASTY = [
  'a',
  '1.',
  '1.1.1.',
  '203.0.113.7 ',
  '::',
  'a:',
  '1:2:3:4:5:6:7:',
  'ffff:',
  '-',
  '--',
  '--a ',
  'a-',
  '@',
  'a@',
  'a@b.',
  'a@b.cd ',
  '/',
  '://',
  'a://b:',
  'a://b@',
  '\\',
  ':\\Users\\a ',
  '/home/',
  'password=',
  'password="',
  'password: ',
  'password is ',
  'token:',
  'Authorization: ',
  'Cookie: a=',
  '/login ',
  ' /login a',
  'command: /l b ',
  'eyJ',
  'eyJaaaaaaa.',
  ' eyJ',
  'MTIz',
  'ghp_',
  ' ghp_',
  'xoxb-',
  'sk-',
  '0123456789abcdef',
  'f',
  '§a',
  '\x1b[0m',
  '\x1b[31m1.\x1b[0m',
  '-----BEGIN ',
  '-----BEGIN A PRIVATE KEY-----',
  '=',
  '"',
  "'",
  '\\"',
  'api key = ',
  '<password>',
  'Bearer ',
  '12345678:',
  'oracle:thin:a/',
  'é',
  '%',
  '[',
  ':: ',
  '1::',
  'kT9x-Qw2mZ_vv8',
  'k',
  '\\\\Users\\\\a b',
];

function worstLine(): { name: string; ms: number } {
  let worst = { name: '', ms: 0 };
  for (const unit of NASTY) {
    const line = Buffer.from(unit.repeat(Math.ceil(LONGEST_LINE / Buffer.byteLength(unit)))).subarray(0, LONGEST_LINE);
    const redactor = newRedactor();
    redactor.redactLine(line);
    const before = process.cpuUsage();
    redactor.redactLine(line);
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms > worst.ms) {
      worst = { name: JSON.stringify(unit), ms };
    }
  }
  return worst;
}

function round(figure: number): number {
  return Math.round(figure * 10) / 10;
}

if (import.meta.main) {
  console.table(await run());
}
