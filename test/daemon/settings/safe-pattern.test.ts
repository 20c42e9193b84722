import t from 'tap';
import { patternProblem } from '../../../daemon/settings/safe-pattern.ts';

t.test('patterns that people write to find a log line are accepted', (t) => {
  const good = [
    'Done',
    String.raw`^Done \(\d+[.,]\d+s\)!`,
    String.raw`^\[\d+:\d+:\d+\] .*Done .*`,
    String.raw`listening on \S+:\d+`,
    String.raw`[Ss]erver (started|ready) on port \d+`,
    String.raw`^(?:\[.*\] )?Done`,
    String.raw`(\d{1,3}\.){3}\d{1,3}`,
    String.raw`\w+\s*:\s*\w+`,
    '(?<name>a)b{',
    '.*Done.*',
    '.*Done.*|.*Ready.*',
    String.raw`Done \(.*\)! For help.*`,
    '^.*foo.*bar',
    '(?:^)x*x*y',
    '[^]]',
  ];
  for (const pattern of good) t.equal(patternProblem(pattern), undefined, pattern);
  t.end();
});

t.test('patterns that could take for ever, or that RE2 does not support, are refused with the reason', (t) => {
  const bad: [string, RegExp][] = [
    ['(a+)+$', /itself varies/],
    ['(a|a)*b', /itself varies/],
    ['(x+x+)+y', /itself varies/],
    ['(.*a){20}', /itself varies/],
    ['(?:a?){40}b', /itself varies/],
    ['.*.*.*x', /open-ended/],
    ['x*x*y', /open-ended/],
    ['(x*)x*y', /open-ended/],
    ['x*(?:!z*)?x*y', /open-ended/],
    ['x*()x*y', /open-ended/],
    ['(?:^|x)x*x*y', /open-ended/],
    ['(?:^)?x*x*y', /open-ended/],
    ['.*foo.*bar', /open-ended/],
    ['foo.*bar.*$', /open-ended/],
    [String.raw`\s*\s*\s*x`, /open-ended/],
    ['a?'.repeat(30) + 'a'.repeat(30), /optional/],
    ['a{2000}', /1000 times/],
    ['(?=x)y', /looks ahead/],
    ['(?<!x)y', /looks ahead/],
    [String.raw`(x)\1`, /refers back/],
    ['(', /not a regular expression/],
  ];
  for (const [pattern, reason] of bad) t.match(patternProblem(pattern), reason, pattern);
  t.end();
});

t.test('no accepted pattern takes long on the line that is worst for it', (t) => {
  const line = `${'a1 .:[]'.repeat(40)}${'a'.repeat(200)}${' '.repeat(200)}!`;
  for (const pattern of [
    '^.*foo.*bar',
    '.*foo.*',
    'x*y',
    'foo.*bar',
    String.raw`\S+:\d+x`,
    String.raw`(\d{1,3}\.){3}\d{1,3}`,
    String.raw`\w*\s*Q`,
  ]) {
    t.equal(patternProblem(pattern), undefined);
    const start = process.cpuUsage();
    new RegExp(pattern).test(line);
    t.ok(process.cpuUsage(start).user < 1_000_000, `${pattern} takes less than a second`);
  }
  t.end();
});

t.test('short repeats and alternatives count together, nested or in sequence', (t) => {
  const bad: [string, RegExp][] = [
    ['(?:(?:a|a){8}){4}!', /itself varies/],
    ['(?:a?){8}(?:a?){8}(?:a?){8}!', /optional/],
    ['^(?:a{0,8}){8}(?:a{0,8}){8}b', /itself varies/],
    ['^(?:a|a)(?:b|b)(?:a|a)(?:b|b)(?:a|a)(?:b|b).*a.*b', /optional or alternative/],
  ];
  for (const [pattern, reason] of bad) t.match(patternProblem(pattern, { flags: 'u' }), reason, pattern);
  t.equal(patternProblem('(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}'), undefined, 'the next character fixes each count');
  t.end();
});

t.test('a fixed number of repeats counts where it can begin at many places', (t) => {
  const bad = [String.raw`a*?[^]{500}\0`, 'a+a{1000}!', '.*(?:.{30}){100}!', '[^b]a{0,100}[^b]{100}b'];
  for (const pattern of bad) t.match(patternProblem(pattern, { flags: 'u' }), /many times in a row/, pattern);
  for (const pattern of ['[0-9a-f]{64}', String.raw`.*\b[0-9a-f]{32}\b`, String.raw`^.*\w{100}`])
    t.equal(patternProblem(pattern, { flags: 'u' }), undefined, pattern);
  t.end();
});

t.test('open-ended repeats count together, even with a character or another repeat between them', (t) => {
  const bad = ['^a*a*ca*a*ca*a*d', '^a*a*b*b*c*c*d', '^[ab]*[bc]*[cd]*!', '^a*ca*a*.*d'];
  for (const pattern of bad) t.match(patternProblem(pattern), /open-ended/, pattern);
  for (const pattern of ['^a*a*ca*c', String.raw`\w+\s+\w+\s+\w+`, String.raw`\S+@[\w-]+\.\w+`])
    t.equal(patternProblem(pattern), undefined, pattern);
  t.end();
});

t.test('characters beyond ASCII count, however they are written', (t) => {
  const bad = ['^ä*ä*ä*!', String.raw`^\p{L}*\p{L}*\p{L}*!`, String.raw`^\u{61}*\u{61}*\u{61}*!`, '^(?i:ſ*s*ſ*)!'];
  for (const pattern of bad) t.match(patternProblem(pattern, { flags: 'u' }), /open-ended/, pattern);
  t.match(patternProblem(String.raw`^\061*\061*\061*!`), /open-ended/, 'an octal escape');
  t.end();
});

t.test('a long pattern is checked in a moment', (t) => {
  const names = Array.from({ length: 1_000 }, (_, index) => `player${index}`).join('|');
  const start = process.cpuUsage();
  t.equal(patternProblem(names), undefined);
  t.equal(patternProblem('a'.repeat(10_000)), undefined);
  t.match(patternProblem('a?'.repeat(5_000)), /optional/);
  t.match(patternProblem('a'.repeat(10_001)), /longer than 10000/);
  t.match(patternProblem('('.repeat(2_000) + ')'.repeat(2_000)), /nests/);
  t.ok(process.cpuUsage(start).user < 2_000_000);
  t.end();
});

t.test('patterns of instances search only short lines, so more of them are accepted', (t) => {
  for (const pattern of ['.*foo.*bar', 'Done.*For.*help', String.raw`\[.*INFO.*\]: Ready`]) {
    t.equal(patternProblem(pattern, { shortLines: true }), undefined, pattern);
  }
  for (const pattern of ['(a+)+$', '.*.*.*x', '(?=a)b'])
    t.ok(patternProblem(pattern, { shortLines: true }), `${pattern} is still refused`);
  t.end();
});
