import t from 'tap';
import { Answer, type Packet, type SentinelTolerance } from '../../../../workers/supervisor/rcon/fragments.ts';

const ID = 3;
const piece = (text: string, type = 0, id = ID): Packet => ({ id, type, payload: Buffer.from(text) });
const sentinelOf = (answer: Answer): Packet => piece('Unknown request 64', 0, answer.sentinelId);

t.test('sends one sentinel after the first piece, and its answer ends the answer', async (t) => {
  for (const tolerance of ['unknown', 'answers'] as const) {
    const answer = new Answer(ID, tolerance);
    t.equal(answer.take(piece('a'.repeat(4096))), 'send-sentinel');
    t.equal(answer.take(piece('b'.repeat(4096))), 'wait');
    t.equal(answer.take(piece('c')), 'wait');
    t.equal(answer.take(sentinelOf(answer)), 'whole');
    t.equal(answer.bytes.toString(), `${'a'.repeat(4096)}${'b'.repeat(4096)}c`);
    t.equal(answer.tolerance, 'answers');
  }
});

t.test('sends no sentinel to a server whose answers have another type', async (t) => {
  const answer = new Answer(ID, 'unknown');
  t.equal(answer.take(piece('text', 2)), 'wait-for-quiet');
  t.equal(answer.take(piece('', 2)), 'whole', 'an empty packet marks the end');
  t.equal(answer.bytes.toString(), 'text');
  t.equal(answer.tolerance, 'drops');
  t.equal(new Answer(ID, 'drops').take(piece('', 2)), 'whole');
});

t.test('ignores packets of earlier commands', async (t) => {
  const answer = new Answer(ID, 'drops');
  t.equal(answer.take(piece('late', 2, ID - 1)), 'ignore');
  t.equal(answer.take(piece('', 2, ID - 1)), 'ignore');
  t.equal(answer.take(piece('mine', 2)), 'wait-for-quiet');
  t.equal(answer.bytes.toString(), 'mine');
});

t.test('a late answer to a sentinel shows that the server answers them', async (t) => {
  const first = new Answer(ID, 'unknown');
  first.take(piece('text'));
  first.sentinelIgnored();
  t.equal(first.tolerance, 'drops');
  const second = new Answer(ID + 1, first.tolerance);
  t.equal(second.take(sentinelOf(first)), 'ignore');
  t.equal(second.tolerance, 'answers');
});

t.test('at the end of the connection an answer is whole unless it is empty or its last piece is full', async (t) => {
  const closedAfter = (tolerance: SentinelTolerance, ...texts: string[]): boolean => {
    const answer = new Answer(ID, tolerance);
    for (const text of texts) answer.take(piece(text));
    return answer.closed();
  };
  t.equal(closedAfter('answers'), false);
  t.equal(closedAfter('answers', 'Stopping the server'), true);
  t.equal(closedAfter('unknown', ''), true);
  t.equal(closedAfter('answers', 'ä'.repeat(4096)), false);
  t.equal(closedAfter('answers', 'ä'.repeat(4096), 'end'), true);
});

t.test('sends no more sentinels after one has ended the connection', async (t) => {
  const answer = new Answer(ID, 'unknown');
  answer.take(piece('text'));
  answer.closed();
  t.equal(answer.tolerance, 'drops');
  const unanswered = new Answer(ID, 'unknown');
  unanswered.closed();
  t.equal(unanswered.tolerance, 'unknown', 'a connection that ends earlier reveals nothing');
});

t.test('joins a character that was split between two pieces', async (t) => {
  const answer = new Answer(ID, 'drops');
  const bytes = Buffer.from('Größe');
  for (const part of [bytes.subarray(0, 3), bytes.subarray(3)]) answer.take({ id: ID, type: 0, payload: part });
  t.equal(answer.bytes.toString(), 'Größe');
});

t.test('gives up an endless answer after 4 MiB', async (t) => {
  const answer = new Answer(ID, 'answers');
  const step = answer.take(piece('x'.repeat(4 * 1024 * 1024)));
  t.equal(step, 'send-sentinel');
  t.equal(answer.take(piece('x')), 'too-long');
});
