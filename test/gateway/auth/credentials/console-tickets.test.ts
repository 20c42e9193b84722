import t from 'tap';
import { createConsoleTickets } from '../../../../gateway/auth/credentials/console-tickets.ts';
import { LOCAL_ADMINISTRATOR } from '../../../../gateway/auth/identity.ts';

const NOW = Date.parse('2026-11-20T08:00:00.000Z');
const LIFE_MS = 30_000;

t.test('a ticket is valid once, for one instance, for 30 seconds', (t) => {
  const tickets = createConsoleTickets();
  const issue = () => tickets.issue(LOCAL_ADMINISTRATOR, 'demo', NOW).ticket;
  const used = issue();
  t.equal(tickets.redeem(used, 'demo', NOW + LIFE_MS - 1), LOCAL_ADMINISTRATOR);
  t.equal(tickets.redeem(used, 'demo', NOW), undefined, 'used up');
  t.equal(tickets.redeem(issue(), 'demo', NOW + LIFE_MS), undefined, 'expired');
  const elsewhere = issue();
  t.equal(tickets.redeem(elsewhere, 'other', NOW), undefined, 'for another instance');
  t.equal(tickets.redeem(elsewhere, 'demo', NOW), undefined, 'and used up by that');
  t.end();
});

t.test('a clock that was set back does not prolong a ticket', (t) => {
  const tickets = createConsoleTickets();
  const { ticket } = tickets.issue(LOCAL_ADMINISTRATOR, 'demo', NOW);
  t.equal(tickets.redeem(ticket, 'demo', NOW - 1), undefined);
  t.end();
});
