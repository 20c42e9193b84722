import { randomBytes } from 'node:crypto';

/** Events that a reader who was away can still get. */
const MOST_REMEMBERED = 1_000;

/** What an event says. Who cannot see the instance does not get it. */
export type AboutInstance = { instanceId: string } & Record<string, unknown>;

export interface LoggedEvent {
  text: string;
  instanceId: string;
}

/** The latest events, numbered, as the texts of Server-Sent Events (WHATWG HTML, 9.2). Its memory is bounded, and empty after a restart. */
export interface EventLog {
  add(type: string, data: AboutInstance): LoggedEvent;
  /** Where a reader who has everything so far would go on: an id without an event. */
  position(): string;
  /** What came after the event with this id; `undefined` where that is not known any more. */
  after(id: string): LoggedEvent[] | undefined;
}

export function createEventLog(): EventLog {
  // Ids of an earlier process of ours mean nothing here.
  const run = randomBytes(4).toString('hex');
  const remembered: LoggedEvent[] = [];
  let count = 0;
  const idLine = () => `id: ${run}-${count}\n`;
  return {
    add(type, data) {
      count++;
      const event = { text: `${idLine()}${eventText(type, data)}`, instanceId: data.instanceId };
      remembered.push(event);
      if (remembered.length > MOST_REMEMBERED) remembered.shift();
      return event;
    },
    position: () => `${idLine()}\n`,
    after(id) {
      const [, of, number] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id) ?? [];
      const missed = count - Number(number);
      return of === run && missed >= 0 && missed <= remembered.length
        ? remembered.slice(remembered.length - missed)
        : undefined;
    },
  };
}

export function eventText(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
