import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';
import type { Test } from 'tap';
import { until } from '../machine/until.ts';

/** One block of a stream of Server-Sent Events. A block without `event` only sets the id. */
export interface SentEvent {
  id?: string;
  event?: string;
  data?: unknown;
}

/** A reader of Server-Sent Events that keeps the events. */
export interface EventReader {
  readonly response: IncomingMessage;
  events(): SentEvent[];
  /** Drops all events read so far. */
  forget(): void;
  /** Waits for an event of this type whose data begins with these fields. */
  until(type: string, data: object): Promise<SentEvent>;
}

/** Opens a stream of events that is closed at the end of the test. */
export async function readEvents(t: Test, url: string, headers: Record<string, string>): Promise<EventReader> {
  const request = (url.startsWith('https:') ? getSecurely : get)(url, { headers });
  t.teardown(() => request.destroy());
  // If the connection is lost, the test fails because of missing events.
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const events = () => text.split('\n\n').slice(0, -1).map(parse);
  return {
    response,
    events,
    forget() {
      text = '';
    },
    until(type, data) {
      const fields = JSON.stringify(data).slice(1, -1);
      return until(
        `an event ${type} with ${fields} arrives`,
        () => events().find((event) => event.event === type && JSON.stringify(event.data).includes(fields)),
        { describe: () => text.slice(-2_000) },
      );
    },
  };
}

function parse(block: string): SentEvent {
  return Object.fromEntries(
    block.split('\n').map((line) => {
      const [name = '', value = ''] = line.split(/: ?(.*)/s);
      return [name, name === 'data' ? JSON.parse(value) : value];
    }),
  );
}
