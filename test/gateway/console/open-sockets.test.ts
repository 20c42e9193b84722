import { EventEmitter, once } from 'node:events';
import t from 'tap';
import type { WebSocket } from 'ws';
import { LOCAL_ADMINISTRATOR } from '../../../gateway/auth/identity.ts';
import { createOpenSockets } from '../../../gateway/console/open-sockets.ts';

class Socket extends EventEmitter {
  pings = 0;
  answers: boolean;
  constructor(answers: boolean) {
    super();
    this.answers = answers;
  }
  ping() {
    this.pings++;
    if (this.answers) this.emit('pong');
  }
  terminate() {
    this.emit('close');
  }
  close() {
    this.emit('close');
  }
}

// The ping timer does not keep the process alive.
const awake = setInterval(() => undefined, 1_000);
t.teardown(() => clearInterval(awake));

t.test('a socket is closed after two pings without an answer', async (t) => {
  const credentials = { onChange: () => () => undefined, current: async () => LOCAL_ADMINISTRATOR };
  const sockets = createOpenSockets({ credentials, now: Date.now, pingEveryMs: 5 });
  const [dead, living] = [new Socket(false), new Socket(true)];
  for (const socket of [dead, living])
    sockets.add(socket as unknown as WebSocket, { identity: LOCAL_ADMINISTRATOR, instance: 'demo', sent: () => 0 });
  t.equal(sockets.total, 2);
  await once(dead, 'close');
  t.equal(dead.pings, 2);
  t.equal(sockets.total, 1);
  while (living.pings < 5) await new Promise(setImmediate);
  t.equal(sockets.total, 1);
  await sockets.closeAll();
  t.equal(sockets.total, 0);
});

t.test('a slow reader stays connected until it stops reading', async (t) => {
  const credentials = { onChange: () => () => undefined, current: async () => LOCAL_ADMINISTRATOR };
  const sockets = createOpenSockets({ credentials, now: Date.now, pingEveryMs: 5 });
  const slow = new Socket(false);
  let reads = true;
  let sent = 0;
  sockets.add(slow as unknown as WebSocket, {
    identity: LOCAL_ADMINISTRATOR,
    instance: 'demo',
    sent: () => (reads ? ++sent : sent),
  });
  while (slow.pings < 6) await new Promise(setImmediate);
  t.equal(sockets.total, 1);
  reads = false;
  await once(slow, 'close');
  await sockets.closeAll();
});
