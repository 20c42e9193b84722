export const EVENT_TYPES = [
  'instance.phase',
  'instance.removed',
  'usage',
  'job.progress',
  'backup.done',
  'player.join',
  'player.leave',
  'tunnel.status',
  'schedule.run',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface StreamEvent {
  type: 'event';
  event: EventType;
  data: unknown;
}

export type StreamMessage =
  | { type: 'connecting' }
  | { type: 'open' }
  | { type: 'lost' }
  /** The stream is alive: comes every two seconds. */
  | { type: 'heartbeat' }
  /** There was a response, but no event stream: the session has ended, or a proxy answered while the daemon starts. */
  | { type: 'refused' }
  | StreamEvent;

/** After a response that is no event stream, browsers do not reconnect (HTML, "EventSource"). Milliseconds. */
const REOPEN_AFTER_MS = 3_000;
/** A network that drops packets closes no connection: without two heartbeats in turn, the stream counts as lost. Milliseconds. */
const SILENT_AFTER_MS = 4_000;
/** Until its first heartbeat, a stream may be silent because a proxy buffers it. Milliseconds. */
const UNHEARD_AFTER_MS = 60_000;
/** A connection that takes longer probably began while packets were dropped. Milliseconds. */
const OPENS_WITHIN_MS = 8_000;
/** A proxy that buffers may also delay the headers: each further connection gets twice the time, up to this. Milliseconds. */
const OPENS_WITHIN_AT_MOST_MS = 60_000;

/**
 * Opens the event stream. The browser reconnects a closed connection itself, with `Last-Event-ID`; a silent one is replaced.
 * Returns a function that closes the stream.
 */
export function openEventStream(onMessage: (message: StreamMessage) => void): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let opensWithinMs = OPENS_WITHIN_MS;
  let heard = false;
  function unlessHeard(afterMs: number, act: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(act, afterMs);
  }
  function receive(message: StreamMessage): void {
    if (message.type === 'open') opensWithinMs = OPENS_WITHIN_MS;
    if (message.type !== 'event') heard = message.type === 'heartbeat';
    unlessHeard(heard ? SILENT_AFTER_MS : UNHEARD_AFTER_MS, replace);
    onMessage(message);
  }
  function replace(): void {
    source.close();
    onMessage({ type: 'lost' });
    open();
  }
  function giveUp(): void {
    opensWithinMs = Math.min(opensWithinMs * 2, OPENS_WITHIN_AT_MOST_MS);
    replace();
  }
  function open(): void {
    source = new EventSource('/events');
    unlessHeard(opensWithinMs, giveUp);
    source.onopen = () => receive({ type: 'open' });
    source.onerror = () => {
      const refused = source.readyState === EventSource.CLOSED;
      if (refused) unlessHeard(REOPEN_AFTER_MS, open);
      else unlessHeard(opensWithinMs, giveUp);
      onMessage({ type: refused ? 'refused' : 'lost' });
    };
    source.addEventListener('heartbeat', () => receive({ type: 'heartbeat' }));
    for (const event of EVENT_TYPES)
      source.addEventListener(event, ({ data }: MessageEvent<string>) =>
        receive({ type: 'event', event, data: JSON.parse(data) }),
      );
  }
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
