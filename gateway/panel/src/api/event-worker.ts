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

/** The part of a SharedWorkerGlobalScope that is used here; TypeScript's library of workers contradicts that of pages. */
const scope = self as unknown as { onconnect: (event: MessageEvent) => void };

scope.onconnect = ({ ports: [port] }) => {
  if (!port) return;
  ports.add(port);
  port.onmessage = ({ data }) => {
    if (data === 'bye') ports.delete(port);
    if (data !== 'hello') return;
    port.postMessage(last);
    // A stream that ended for good (signed out) begins anew with whoever has signed in since.
    if (close === undefined || last.type === 'refused') {
      close?.();
      close = openEvents(tell);
    }
  };
};
