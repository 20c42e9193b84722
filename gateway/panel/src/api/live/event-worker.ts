/**
 * A SharedWorker with one event stream for all tabs: browsers allow six connections per host over HTTP/1.1, and each tab also has a
 * console. A tab that connects gets the stream's state first, then every event.
 */
import { openEventStream, type StreamMessage } from './event-stream.ts';

const ports = new Set<MessagePort>();
let lastState: StreamMessage = { type: 'connecting' };
let close: (() => void) | undefined;

function broadcast(message: StreamMessage): void {
  if (message.type !== 'event' && message.type !== 'heartbeat') lastState = message;
  for (const port of ports) port.postMessage(message);
}

/** Closes the stream with the last tab: the next tab may belong to another user. */
function disconnect(port: MessagePort): void {
  ports.delete(port);
  if (ports.size > 0) return;
  close?.();
  close = undefined;
  lastState = { type: 'connecting' };
}

/** TypeScript's library for workers conflicts with the one for pages. */
const scope = self as unknown as { onconnect: (event: MessageEvent) => void };

scope.onconnect = ({ ports: [port] }) => {
  if (!port) return;
  port.onmessage = ({ data }) => {
    if (data === 'bye') disconnect(port);
    if (data !== 'hello') return;
    ports.add(port);
    port.postMessage(lastState);
    close ??= openEventStream(broadcast);
  };
};
