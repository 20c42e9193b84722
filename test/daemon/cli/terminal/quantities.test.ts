import t from 'tap';
import {
  formatBytes,
  formatSeconds,
  formatTime,
  parseDuration,
  parseMemory,
  parseWhole,
} from '../../../../daemon/cli/terminal/quantities.ts';

t.test('sizes and durations are readable', (t) => {
  const sizes: [number, string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [9_949, '9.9 kB'],
    [12_345, '12 kB'],
    [999_600, '1.0 MB'],
    [1_450_000_000, '1.4 GB'],
    [5e15, '5000 TB'],
  ];
  for (const [bytes, said] of sizes) t.equal(formatBytes(bytes), said);
  const spans: [number, string][] = [
    [0, '0 s'],
    [0.32, '0.3 s'],
    [8, '8 s'],
    [59.4, '59 s'],
    [60, '1 min'],
    [200, '3 min 20 s'],
    [3_600, '1 h'],
    [18_240, '5 h 4 min'],
    [97_200, '1 d 3 h'],
  ];
  for (const [seconds, said] of spans) t.equal(formatSeconds(seconds), said);
  t.match(formatTime('2026-11-20T12:00:00.000Z'), /^2026-11-2\d \d\d:\d\d$/);
  t.end();
});

t.test('durations, sizes and numbers are parsed, and anything else is refused', (t) => {
  t.same(['90s', '15m', '12h', '30d', '2w'].map(parseDuration), [90, 900, 43_200, 2_592_000, 1_209_600]);
  t.same(['2048', '512M', '2G', '1.5g', '4GB', '1GiB'].map(parseMemory), [2048, 512, 2048, 1536, 4096, 1024]);
  t.equal(parseWhole('25565'), 25_565);
  for (const wrong of ['', '30', 'd', '-1d', '1y']) t.throws(() => parseDuration(wrong), wrong);
  for (const wrong of ['', 'two', '2T', '-2G']) t.throws(() => parseMemory(wrong), wrong);
  for (const wrong of ['', '1.5', '-1', '0x10']) t.throws(() => parseWhole(wrong), wrong);
  t.end();
});
