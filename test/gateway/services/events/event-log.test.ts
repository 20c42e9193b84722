import t from 'tap';
import { createEventLog } from '../../../../gateway/services/events/event-log.ts';

const idOf = (text: string) => /^id: (.*)$/m.exec(text)?.[1] ?? '';

t.test('a thousand events are kept, and older ids get none of them', (t) => {
  const log = createEventLog();
  const start = idOf(log.position());
  const ids = Array.from({ length: 1_500 }, (_, n) => idOf(log.add('thing', { instanceId: 'demo', n }).text));
  t.equal(log.after(start), undefined);
  t.equal(log.after(ids[498] ?? ''), undefined);
  const missed = log.after(ids[499] ?? '');
  t.equal(missed?.length, 1_000);
  t.match(missed?.[0]?.text, /"n":500\}/);
  t.match(missed?.at(-1)?.text, /"n":1499\}/);
  t.same(log.after(ids[1_499] ?? ''), [], 'nothing was missed');
  t.equal(idOf(log.position()), ids[1_499]);
  t.end();
});

t.test('ids of another run, future ids and invalid ids are unknown', (t) => {
  const log = createEventLog();
  const { text, instanceId } = log.add('thing', { instanceId: 'demo' });
  t.equal(instanceId, 'demo');
  t.match(text, /^id: [0-9a-f]{8}-1\nevent: thing\ndata: \{"instanceId":"demo"\}\n\n$/);
  const [run] = idOf(text).split('-');
  t.same(log.after(`${run}-0`)?.length, 1, 'all events since the start');
  const other = createEventLog();
  for (const id of [`${run}-2`, `${run}-`, `${run}-1x`, `${run}--1`, '', '1', idOf(other.position())])
    t.equal(log.after(id), undefined, id);
  t.end();
});
