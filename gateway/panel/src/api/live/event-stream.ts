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
  /** There was a response, but no event stream: the session has ended, or a proxy answered while the daemon starts. */
  | { type: 'refused' }
  | StreamEvent;

/** After a response that is no event stream, browsers do not reconnect (HTML, "EventSource"). Milliseconds. */
const REOPEN_AFTER_MS = 3_000;

/**
 * Opens the event stream. The browser reconnects a lost connection itself, with `Last-Event-ID`.
 * Returns a function that closes the stream.
 */
export function openEventStream(onMessage: (message: StreamMessage) => void): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function open(): void {
    source = new EventSource('/events');
    source.onopen = () => onMessage({ type: 'open' });
    source.onerror = () => {
      const refused = source.readyState === EventSource.CLOSED;
      onMessage({ type: refused ? 'refused' : 'lost' });
      if (refused) timer = setTimeout(open, REOPEN_AFTER_MS);
    };
    for (const event of EVENT_TYPES)
      source.addEventListener(event, ({ data }: MessageEvent<string>) =>
        onMessage({ type: 'event', event, data: JSON.parse(data) }),
      );
  }
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
