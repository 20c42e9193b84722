import t from 'tap';
import { isRotationDue, type KeyDates, schedule } from '../../../../../gateway/proxy/oauth/keys/schedule.ts';

const DAY = 86_400;
const FIRST: KeyDates = { generation: 1, publishedAt: 0, signsFrom: 0 };
const SECOND: KeyDates = { generation: 2, publishedAt: 90 * DAY, signsFrom: 91 * DAY };
const THIRD: KeyDates = { generation: 3, publishedAt: 181 * DAY, signsFrom: 182 * DAY };

const at = (now: number, keys: KeyDates[], purpose: 'signing' | 'cookies' = 'signing') =>
  schedule(purpose, keys, now).map(({ generation, state }) => `${generation} ${state}`);

t.test('a key is published, signs after a day, and counts for a day after its successor began', async (t) => {
  const keys = [SECOND, FIRST];
  t.same(at(90 * DAY, keys), ['1 signing', '2 next'], 'the new one is last');
  t.same(at(91 * DAY - 1, keys), ['1 signing', '2 next']);
  t.same(at(91 * DAY, keys), ['2 signing', '1 previous']);
  t.same(at(92 * DAY - 1, keys), ['2 signing', '1 previous']);
  t.same(at(92 * DAY, keys), ['2 signing', '1 retired']);
  t.match(schedule('signing', keys, 0)[0], { generation: 1, retiresAt: 92 * DAY });
});

t.test('cookies live longer than tokens, and so do their keys', async (t) => {
  t.same(at(105 * DAY, [FIRST, SECOND], 'cookies'), ['2 signing', '1 previous']);
  t.same(at(106 * DAY, [FIRST, SECOND], 'cookies'), ['2 signing', '1 retired']);
});

t.test('several rotations in a row', async (t) => {
  const soon = { ...THIRD, publishedAt: 91 * DAY, signsFrom: 91.5 * DAY };
  t.same(at(91 * DAY, [FIRST, SECOND, soon]), ['2 signing', '1 previous', '3 next']);
  t.same(at(91.5 * DAY, [FIRST, SECOND, soon]), ['3 signing', '2 previous', '1 previous']);
  t.same(at(200 * DAY, [FIRST, SECOND, THIRD]), ['3 signing', '1 retired', '2 retired']);
});

t.test('with a clock that is behind there is still a key to sign with', async (t) => {
  t.same(at(-1, [SECOND, FIRST]), ['1 signing', '2 next']);
  t.same(at(0, []), []);
});

t.test('a rotation is due once the newest has signed for 90 days', async (t) => {
  t.equal(isRotationDue([FIRST], 90 * DAY - 1), false);
  t.equal(isRotationDue([FIRST], 90 * DAY), true);
  t.equal(isRotationDue([FIRST, SECOND], 95 * DAY), false);
  t.equal(isRotationDue([FIRST, SECOND], 181 * DAY), true);
});
