/** The events that the panel follows (GET /events). */
export const EVENT_TYPES = [
  'instance.phase',
  'instance.removed',
  'usage',
  'job.progress',
  'backup.done',
  'player.join',
  'player.leave',
  'schedule.run',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export type EventMessage =
  | { type: 'connecting' }
  | { type: 'open' }
  | { type: 'lost' }
  /** An answer, but no events: the session has ended, or what stands between answers for a daemon that starts. */
  | { type: 'refused' }
  | { type: 'event'; event: EventType; data: unknown };

/** After an answer without events the browser gives up (HTML, "EventSource"); so long until it is asked again. Milliseconds. */
const ASK_AGAIN_MS = 3_000;

/** Opens the stream. After a lost connection the browser itself reconnects, with `Last-Event-ID`. The returned function closes it. */
export function openEvents(tell: (message: EventMessage) => void): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function open(): void {
    source = new EventSource('/events');
    source.onopen = () => tell({ type: 'open' });
    source.onerror = () => {
      const refused = source.readyState === EventSource.CLOSED;
      tell({ type: refused ? 'refused' : 'lost' });
      if (refused) timer = setTimeout(open, ASK_AGAIN_MS);
    };
    for (const event of EVENT_TYPES)
      source.addEventListener(event, ({ data }: MessageEvent<string>) =>
        tell({ type: 'event', event, data: JSON.parse(data) }),
      );
  }
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
