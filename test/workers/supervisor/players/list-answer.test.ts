import t from 'tap';
import { namesInListAnswer } from '../../../../workers/supervisor/players/list-answer.ts';

t.test('reads the answers to "list" of many versions and plugins', async (t) => {
  const answers: [string, string[]][] = [
    ['There are 2 of a max of 20 players online: Anna, Ben', ['Anna', 'Ben']],
    ['There are 0 of a max of 20 players online: ', []],
    ['There are 2/20 players online:Anna, Ben', ['Anna', 'Ben']],
    ['There are 2 of a max 20 players online:\nAnna, Ben', ['Anna', 'Ben']],
    [
      '§6There are §c2§6 out of maximum §c20§6 players online.\n§6default§r: Anna\n§6admin§r: [AFK]Ben',
      ['Anna', 'Ben'],
    ],
    ['There are 1 of a max of 20 players online: .Bedrock_Kid', ['.Bedrock_Kid']],
  ];
  for (const [answer, names] of answers) t.strictSame(namesInListAnswer(answer, 'java'), names, answer);
  t.equal(namesInListAnswer('Unknown command', 'java'), undefined);
});

t.test('an answer of megabytes, which no server gives, is not read to its end', async (t) => {
  for (const text of ['[]', ',', 'Anna,']) {
    const names = namesInListAnswer(`1:${text.repeat(1_000_000)}`, 'java');
    t.ok(names && names.length < 50_000, `${names?.length} names`);
  }
});
