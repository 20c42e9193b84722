/**
 * One stream of events for all tabs: browsers allow six connections to a host, and each tab also has a console (HTML, "Shared
 * workers"). A tab that connects gets the present state of the stream, then every event.
 */
import { type EventMessage, openEvents } from './event-stream.ts';

const ports = new Set<MessagePort>();
let last: EventMessage = { type: 'connecting' };
let close: (() => void) | undefined;

function tell(message: EventMessage): void {
  if (message.type !== 'event') last = message;
  for (const port of ports) port.postMessage(message);
}

/** Without anybody who listens (all are signed out) there is no stream: the next begins with whoever has signed in since. */
function leave(port: MessagePort): void {
  ports.delete(port);
  if (ports.size > 0) return;
  close?.();
  close = undefined;
  last = { type: 'connecting' };
}

/** The part of a SharedWorkerGlobalScope that is used here; TypeScript's library of workers contradicts that of pages. */
const scope = self as unknown as { onconnect: (event: MessageEvent) => void };

scope.onconnect = ({ ports: [port] }) => {
  if (!port) return;
  port.onmessage = ({ data }) => {
    if (data === 'bye') leave(port);
    if (data !== 'hello') return;
    ports.add(port);
    port.postMessage(last);
    close ??= openEvents(tell);
  };
};
