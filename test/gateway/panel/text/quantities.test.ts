import t from 'tap';
import { quantitiesIn } from '../../../../gateway/panel/src/text/quantities.ts';

const en = quantitiesIn('en');
const de = quantitiesIn('de');

t.test('sizes are decimal, with one digit below ten from MB on', (t) => {
  const sizes = {
    0: '0 B',
    999: '999 B',
    1000: '1 kB',
    1500: '2 kB',
    1800000: '1.8 MB',
    2000000: '2 MB',
    12345678: '12 MB',
    3400000000: '3.4 GB',
    5e15: '5,000 TB',
  };
  for (const [bytes, text] of Object.entries(sizes)) t.equal(en.size(Number(bytes)), text);
  t.equal(de.size(1_800_000), '1,8 MB');
  t.end();
});

t.test('memory is binary', (t) => {
  t.equal(en.memory(512), '512 MB');
  t.equal(en.memory(1_024), '1 GB');
  t.equal(en.memory(1_536), '1.5 GB');
  t.equal(en.memory(16_384), '16 GB');
  t.end();
});

t.test('percent, milliseconds and days have their units', (t) => {
  t.equal(en.percent(62.4), '62%');
  t.match(de.percent(62.4), /^62\s%$/);
  t.equal(en.milliseconds(3.21), '3.2 ms');
  t.equal(en.milliseconds(3), '3 ms');
  t.equal(en.milliseconds(52.4), '52 ms');
  t.equal(en.days(1), '1 day');
  t.equal(de.days(30), '30 Tage');
  t.equal(en.number(19.96, 1), '20.0');
  t.end();
});

t.test('durations are rounded down', (t) => {
  const durations = {
    59.9: '59 sec',
    60: '1 min',
    3599: '59 min',
    3600: '1 hr 0 min',
    12059: '3 hr 20 min',
    86399: '23 hr 59 min',
    180000: '2 days 2 hr',
  };
  for (const [seconds, text] of Object.entries(durations)) t.equal(en.duration(Number(seconds)), text);
  t.end();
});

t.test('relative times use the largest unit, past and future', (t) => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const relative = (offsetSeconds: number) => en.relative(now + offsetSeconds * 1_000, now);
  t.equal(relative(0), 'now');
  t.equal(relative(-30), '30 seconds ago');
  t.equal(relative(-300), '5 minutes ago');
  t.equal(relative(7_200), 'in 2 hours');
  t.equal(relative(-86_400), 'yesterday');
  t.equal(de.relative(now - 300_000, now), 'vor 5 Minuten');
  t.end();
});

t.test('an exact time has date and seconds', (t) => {
  t.match(en.exact('2026-11-20T12:34:56'), /^Nov 20, 2026, 12:34:56$/);
  t.end();
});
