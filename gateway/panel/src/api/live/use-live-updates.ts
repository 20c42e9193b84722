import { useEffect } from 'react';
import { checkSession } from '../session.ts';
import { queryClient } from '../transport/query-client.ts';
import { applyEvents } from './apply-event.ts';
import { type Connection, getConnection, setConnection } from './connection.ts';
import { openEventStream, type StreamEvent, type StreamMessage } from './event-stream.ts';

/** A stream begins with an event for every server. Milliseconds. */
const TOGETHER_MS = 20;

/** Until a page that has just been opened is shown. Milliseconds. */
const FIRST_SHOWN_MS = 1_000;

/** Keeps the cache up to date by events, without polling. */
export function useLiveUpdates(): void {
  useEffect(() => {
    const stop = followWhileShown(receive);
    return () => {
      stop();
      waiting.length = 0; // the next user gets nothing of this one
    };
  }, []);
}

/**
 * Pages in the browser's back/forward cache get no events: they disconnect, and reconnect when they are shown again. Without a network,
 * the connection counts as lost at once, and is opened anew when there is one again.
 */
function followWhileShown(onMessage: (message: StreamMessage) => void): () => void {
  let stop = follow(onMessage);
  const restart = () => {
    stop();
    stop = follow(onMessage);
  };
  const onHide = () => stop();
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) restart();
  };
  // A daemon on this computer stays in reach: its next heartbeat takes this back.
  const onOffline = () => onMessage({ type: 'lost' });
  window.addEventListener('pagehide', onHide);
  window.addEventListener('pageshow', onShow);
  window.addEventListener('offline', onOffline);
  window.addEventListener('online', restart);
  return () => {
    window.removeEventListener('pagehide', onHide);
    window.removeEventListener('pageshow', onShow);
    window.removeEventListener('offline', onOffline);
    window.removeEventListener('online', restart);
    stop();
  };
}

/** Not every mobile browser has SharedWorker. */
function follow(onMessage: (message: StreamMessage) => void): () => void {
  if (typeof SharedWorker === 'undefined') return openEventStream(onMessage);
  const { port } = new SharedWorker(new URL('./event-worker.ts', import.meta.url), { type: 'module', name: 'events' });
  port.onmessage = ({ data }: MessageEvent<StreamMessage>) => onMessage(data);
  port.postMessage('hello');
  return () => {
    port.postMessage('bye');
    port.onmessage = null;
  };
}

const STATES = {
  connecting: 'connecting',
  open: 'open',
  heartbeat: 'open',
  lost: 'lost',
  refused: 'lost',
} satisfies Record<Exclude<StreamMessage['type'], 'event'>, Connection>;

const waiting: StreamEvent[] = [];

/** Applies events that come together at once. */
function applySoon(event: StreamEvent): void {
  if (waiting.push(event) === 1) setTimeout(() => applyEvents(queryClient, waiting.splice(0)), TOGETHER_MS);
}

function receive(message: StreamMessage): void {
  if (message.type === 'event') {
    applySoon(message);
    return;
  }
  const before = getConnection();
  // A lost connection stays so until it is open again.
  if (message.type === 'connecting' && before === 'lost') return;
  setConnection(STATES[message.type]);
  if (message.type === 'refused') checkSession(queryClient);
  // More may have happened than the daemon can replay.
  if (message.type === 'open') setTimeout(askAgain, before === 'connecting' ? FIRST_SHOWN_MS : 0, Date.now());
}

/** Asks for what was answered before the stream was open. `openedAt`: milliseconds since the epoch. */
function askAgain(openedAt: number): void {
  void queryClient.invalidateQueries({ predicate: ({ state }) => state.dataUpdatedAt <= openedAt });
}
