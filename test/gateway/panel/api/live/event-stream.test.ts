import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { openEventStream, type StreamMessage } from '../../../../../gateway/panel/src/api/live/event-stream.ts';

/** Stands in for the browser's EventSource. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: FakeEventSource[] = [];
  readonly url: string;
  readyState = 0;
  onopen?: () => void;
  onerror?: () => void;

  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.opened.push(this);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  emit(event: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
  }

  fail(readyState: number): void {
    this.readyState = readyState;
    this.onerror?.();
  }
}

/** Replaces EventSource for a test. Returns the streams that were opened since, oldest first. */
function useFakeEventSource(t: Test): FakeEventSource[] {
  FakeEventSource.opened = [];
  t.intercept(globalThis, 'EventSource', { value: FakeEventSource, configurable: true });
  return FakeEventSource.opened;
}

const CONNECTING = 0;

t.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
t.afterEach(() => mock.timers.reset());

t.test('events arrive parsed, with their type', (t) => {
  const sources = useFakeEventSource(t);
  const messages: StreamMessage[] = [];
  openEventStream((message) => messages.push(message));
  t.equal(sources[0]?.url, '/events');
  sources[0]?.onopen?.();
  sources[0]?.emit('usage', { instanceId: 'demo' });
  sources[0]?.emit('unknown', {});
  t.same(messages, [{ type: 'open' }, { type: 'event', event: 'usage', data: { instanceId: 'demo' } }]);
  t.end();
});

t.test('the browser itself reconnects a lost connection', (t) => {
  const sources = useFakeEventSource(t);
  const messages: StreamMessage[] = [];
  openEventStream((message) => messages.push(message));
  for (let tries = 0; tries < 3; tries++) {
    mock.timers.tick(7_999);
    sources[0]?.fail(CONNECTING);
  }
  t.same(messages, [{ type: 'lost' }, { type: 'lost' }, { type: 'lost' }]);
  t.equal(sources.length, 1);
  t.end();
});

t.test('a stream that falls silent is replaced after two heartbeats', (t) => {
  const sources = useFakeEventSource(t);
  const messages: StreamMessage[] = [];
  openEventStream((message) => messages.push(message));
  sources[0]?.onopen?.();
  for (const event of ['heartbeat', 'usage', 'heartbeat']) {
    mock.timers.tick(3_999);
    sources[0]?.emit(event, {});
  }
  t.equal(sources.length, 1);
  mock.timers.tick(4_000);
  t.same(
    messages.map(({ type }) => type),
    ['open', 'heartbeat', 'event', 'heartbeat', 'lost'],
  );
  t.equal(sources.length, 2);
  t.equal(sources[0]?.readyState, FakeEventSource.CLOSED, 'no second connection stays open');
  sources[1]?.onopen?.();
  t.same(messages.at(-1), { type: 'open' });
  t.end();
});

t.test('a stream without any heartbeat, as from a proxy that buffers, stays for a minute', (t) => {
  const sources = useFakeEventSource(t);
  const messages: StreamMessage[] = [];
  openEventStream((message) => messages.push(message));
  sources[0]?.onopen?.();
  mock.timers.tick(30_000);
  sources[0]?.emit('usage', {});
  mock.timers.tick(59_999);
  t.equal(sources.length, 1);
  sources[0]?.emit('heartbeat', {});
  sources[0]?.fail(CONNECTING);
  sources[0]?.onopen?.();
  mock.timers.tick(59_999);
  t.equal(sources.length, 1, 'also once the browser has reconnected');
  mock.timers.tick(1);
  t.equal(sources.length, 2);
  t.same(
    messages.map(({ type }) => type),
    ['open', 'event', 'heartbeat', 'lost', 'open', 'lost'],
  );
  t.end();
});

t.test('a connection that does not open is opened again: after 8 s, then later and later', (t) => {
  const sources = useFakeEventSource(t);
  const messages: StreamMessage[] = [];
  openEventStream((message) => messages.push(message));
  const givesUpAfter = (ms: number) => {
    const { length } = sources;
    mock.timers.tick(ms - 1);
    t.equal(sources.length, length);
    mock.timers.tick(1);
    t.equal(sources.length, length + 1, `${ms} ms`);
    t.equal(sources[length - 1]?.readyState, FakeEventSource.CLOSED);
    t.same(messages.at(-1), { type: 'lost' });
  };
  for (const ms of [8_000, 16_000, 32_000, 60_000, 60_000]) givesUpAfter(ms);
  sources.at(-1)?.onopen?.();
  sources.at(-1)?.fail(CONNECTING);
  givesUpAfter(8_000);
  t.end();
});

t.test('a refused stream is opened again after 3 s', (t) => {
  const sources = useFakeEventSource(t);
  const messages: StreamMessage[] = [];
  openEventStream((message) => messages.push(message));
  sources[0]?.fail(FakeEventSource.CLOSED);
  t.same(messages, [{ type: 'refused' }]);
  mock.timers.tick(2_999);
  t.equal(sources.length, 1);
  mock.timers.tick(1);
  t.equal(sources.length, 2);
  t.end();
});

t.test('a closed stream stays closed', (t) => {
  const sources = useFakeEventSource(t);
  const close = openEventStream(() => undefined);
  sources[0]?.fail(FakeEventSource.CLOSED);
  close();
  mock.timers.tick(60_000);
  t.equal(sources.length, 1);
  t.equal(sources[0]?.readyState, FakeEventSource.CLOSED);
  t.end();
});

interface WorkerScope {
  onconnect?: (event: { ports: FakePort[] }) => void;
}

/** The worker's end of a tab's connection. */
class FakePort {
  readonly messages: StreamMessage[] = [];
  onmessage?: (event: { data: string }) => void;

  postMessage(message: StreamMessage): void {
    this.messages.push(message);
  }
}

t.test('all tabs share one stream of events, which closes with the last tab', async (t) => {
  const sources = useFakeEventSource(t);
  const scope: WorkerScope = {};
  t.intercept(globalThis, 'self', { value: scope, configurable: true });
  await import('../../../../../gateway/panel/src/api/live/event-worker.ts');
  const connect = () => {
    const port = new FakePort();
    scope.onconnect?.({ ports: [port] });
    port.onmessage?.({ data: 'hello' });
    return port;
  };

  const first = connect();
  t.same(first.messages, [{ type: 'connecting' }]);
  sources[0]?.onopen?.();
  const second = connect();
  t.same(second.messages, [{ type: 'open' }], 'a later tab gets the current state');
  t.equal(sources.length, 1);
  sources[0]?.emit('usage', { instanceId: 'demo' });
  const event = { type: 'event', event: 'usage', data: { instanceId: 'demo' } };
  for (const port of [first, second]) t.same(port.messages.at(-1), event);

  first.onmessage?.({ data: 'bye' });
  t.not(sources[0]?.readyState, FakeEventSource.CLOSED);
  sources[0]?.emit('usage', { instanceId: 'other' });
  t.same(first.messages.at(-1), event, 'a closed tab gets nothing more');
  sources[0]?.emit('heartbeat', {});
  t.same(second.messages.at(-1), { type: 'heartbeat' });
  const late = connect();
  t.same(late.messages, [{ type: 'open' }], 'a heartbeat is no state');
  late.onmessage?.({ data: 'bye' });
  second.onmessage?.({ data: 'bye' });
  t.equal(sources[0]?.readyState, FakeEventSource.CLOSED);

  const third = connect();
  t.same(third.messages, [{ type: 'connecting' }], 'the next user starts from the beginning');
  t.equal(sources.length, 2);
});
