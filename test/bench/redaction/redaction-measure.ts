import { Redactor } from '../../../workers/supervisor/console/redaction/redactor.ts';
import { inTurns, type Turn } from '../row.ts';
import { realisticLog } from './realistic-log.ts';
import { redactByRegexps } from './rules-as-regexps.ts';

/** The result, which the process prints as JSON. */
export interface Measured {
  readonly megabytes: number;
  /** Megabytes per CPU second, ours and the regular expressions'. */
  readonly turns: readonly Turn[];
  /** The slowest line of 64 KiB, and the text that it repeats. */
  readonly worst: { readonly unit: string; readonly ms: number };
}

const MEGABYTE = 1_000_000;
/** Size of the sample, which is used repeatedly: more than the caches and the branch predictor hold. */
const DISTINCT = 32 * MEGABYTE;
const TOTAL = 256 * MEGABYTE;
const WARM_UP = 64 * MEGABYTE;
/** Size of the reads from a flooded pseudo-terminal while the reader is busy. */
const CHUNK = 64 * 1024;
/** The regular expressions are slow, so they get only a part of the sample. */
const FOR_REGEXPS = 16 * MEGABYTE;
const LONGEST_LINE = 64 * 1024;
/** The best one counts, because the machine may do other work. */
const ATTEMPTS = 3;

/** Repeated, each makes a line on which some rule might start over again and again. */
const SLOW_UNITS = [
  ...[
    'a',
    '1.',
    '1.1.1.',
    '203.0.113.7 ',
    '::',
    'a:',
    '1:2:3:4:5:6:7:',
    'ffff:',
    '1::',
    ':: ',
    '12345678:',
    '12:34:56',
  ],
  ...[
    '-',
    '--',
    '--a ',
    'a-',
    '--token ',
    '-----BEGIN ',
    '-----BEGIN A PRIVATE KEY-----',
    '@',
    'a@',
    'a@b.',
    'a@b.cd ',
  ],
  ...[
    '/',
    '://',
    'a://b:',
    'a://b@',
    '\\',
    ':\\Users\\a ',
    ':\\Users\\a b',
    '/home/',
    '/home/a ',
    'oracle:thin:a/',
    '[',
    '%',
  ],
  ...[
    'password=',
    'password="',
    'password: ',
    'password is ',
    'password for ',
    'token:',
    'api key = ',
    '<password>',
    '=',
    '"',
  ],
  ...[
    'Authorization: ',
    'Cookie: a=',
    '/login ',
    ' /login a',
    'command: /l b ',
    "'/login ",
    'eyJ',
    'eyJaaaaaaa.',
    ' eyJ',
  ],
  ...[
    'MTIz',
    ' MTIz',
    'ghp_',
    ' ghp_',
    'xoxb-',
    'sk-',
    'Bearer ',
    '0123456789abcdef',
    'f',
    '§a',
    '\x1b[0m',
    '\x1b[31m1.\x1b[0m',
  ],
  ...['kT9x-Qw2mZ_vv8', 'k', 'é', "'", '\\"', 'a=b,', 'password=a,', '/webhooks/1', '/services/T', '{"password":"'],
  ...['1.2.3.4 ', 'a@1.2.3.4 ', 'x 1.2.3.4 ', '5-6-7-8.', 'aaaa.bbb1.', '1.0.ip6.arpa ', '[I;', 'x:1:2::', 'a:b@c:22 '],
  ...[
    '-p a1 ',
    '-u a:b ',
    '--user=a:b ',
    'setPassword(',
    '"password", ',
    'key="password">',
    '</a',
    '> login ',
    '/cp a ',
  ],
  ...['%41', '%2541', '\\n', '\\u0040', '&lt;', '&#64;', '\\\\', ' token is ', '| password |', 'a://b:', '$2a$', '=)'],
  ...['token=[', 'пароль: ', '密码：', '\0', '\0 [gamekeeper] line cut, '],
];

async function measured(): Promise<Measured> {
  const chunks = wholeLines(realisticLog(DISTINCT), CHUNK);
  const redactor = newRedactor();
  const redact = (chunk: Buffer) => redactor.redact(chunk);
  megabytesPerSecond(chunks, WARM_UP, redact);
  return {
    megabytes: TOTAL / MEGABYTE,
    turns: await inTurns(
      () => megabytesPerSecond(chunks.slice(0, FOR_REGEXPS / CHUNK), FOR_REGEXPS, redactByRegexps),
      () => megabytesPerSecond(chunks, TOTAL, redact),
    ),
    worst: worstLine(redactor),
  };
}

function newRedactor(): Redactor {
  return new Redactor({ key: Buffer.alloc(32, 7), secrets: ['kT9x-Qw2mZ_vv81', 'minecraft', 'f3a9c1d07be2'] });
}

function megabytesPerSecond(chunks: readonly Buffer[], bytes: number, redact: (chunk: Buffer) => Buffer): number {
  let done = 0;
  const microseconds = cpuTimeOf(() => {
    for (let i = 0; done < bytes; i = (i + 1) % chunks.length) {
      redact(chunks[i]!);
      done += chunks[i]!.length;
    }
  });
  return done / microseconds;
}

function worstLine(redactor: Redactor): Measured['worst'] {
  const all = SLOW_UNITS.map((unit) => {
    const line = Buffer.from(unit.repeat(Math.ceil(LONGEST_LINE / Buffer.byteLength(unit)))).subarray(0, LONGEST_LINE);
    const times = Array.from({ length: ATTEMPTS }, () => cpuTimeOf(() => redactor.redactLine(line)));
    return { unit, ms: Math.min(...times) / 1000 };
  });
  return all.reduce((worst, one) => (one.ms > worst.ms ? one : worst));
}

/** Returns user and system time in microseconds. */
function cpuTimeOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
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

process.stdout.write(JSON.stringify(await measured()));
