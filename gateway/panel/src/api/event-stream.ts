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
  /** The daemon refused it: the session has ended. */
  | { type: 'refused' }
  | { type: 'event'; event: EventType; data: unknown };

/** Opens the stream. The browser itself reconnects, with `Last-Event-ID`. The returned function closes it. */
export function openEvents(tell: (message: EventMessage) => void): () => void {
  const source = new EventSource('/events');
  source.onopen = () => tell({ type: 'open' });
  source.onerror = () => tell({ type: source.readyState === EventSource.CLOSED ? 'refused' : 'lost' });
  for (const event of EVENT_TYPES)
    source.addEventListener(event, ({ data }: MessageEvent<string>) =>
      tell({ type: 'event', event, data: JSON.parse(data) }),
    );
  return () => source.close();
}
