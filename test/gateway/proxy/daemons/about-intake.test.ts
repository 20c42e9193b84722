import t from 'tap';
import { createAboutIntake } from '../../../../gateway/proxy/daemons/about-intake.ts';
import { isAboutDaemon } from '../../../../shared/node/link/about-daemon.ts';

const asMessage = (message: object) => Buffer.from(JSON.stringify(message));
const ABOUT = { type: 'about', name: 'Attic', scopes: ['servers:read', 'logs:read'] };

function intake() {
  const stored: [string, object][] = [];
  let now = 0;
  const receive = createAboutIntake({
    daemons: { describe: async (daemonId, { name, scopes }) => void stored.push([daemonId, { name, scopes }]) },
    log: { warn: () => undefined },
    now: () => now,
  });
  const later = (ms: number) => {
    now += ms;
  };
  return { stored, receive, later };
}

t.test('a valid message is stored, anything else dropped', async (t) => {
  const { stored, receive, later } = intake();
  for (const text of [
    asMessage(ABOUT),
    asMessage({ ...ABOUT, name: 'Two\nlines' }),
    asMessage({ ...ABOUT, name: 'x'.repeat(65) }),
    asMessage({ ...ABOUT, scopes: ['everything'] }),
    asMessage({ ...ABOUT, scopes: [] }),
    asMessage({ ...ABOUT, more: 'x'.repeat(2_000) }),
    Buffer.from('{"type":"about"'),
  ]) {
    t.ok(isAboutDaemon(text));
    receive('attic', text);
    later(10_000);
  }
  t.same(stored, [['attic', { name: 'Attic', scopes: ABOUT.scopes }]]);
  t.notOk(isAboutDaemon(asMessage({ type: 'telemetry-off' })));
});

t.test('a daemon that tells without end is heard seldom, others are not concerned', async (t) => {
  const { stored, receive, later } = intake();
  for (let count = 0; count < 1_000; count++) receive('loud', asMessage(ABOUT));
  t.equal(stored.length, 6);
  receive('other', asMessage(ABOUT));
  t.equal(stored.length, 7);
  later(10_000);
  receive('loud', asMessage(ABOUT));
  t.equal(stored.length, 8);
});
