import { randomBytes } from 'node:crypto';

const MOST_REMEMBERED = 1_000;

/** The data of an event. Only callers who see the instance get it. */
export type AboutInstance = { instanceId: string } & Record<string, unknown>;

export interface LoggedEvent {
  text: string;
  instanceId: string;
}

/** The latest events with their ids, as texts of Server-Sent Events (WHATWG HTML, section 9.2). Empty after a restart. */
export interface EventLog {
  add(type: string, data: AboutInstance): LoggedEvent;
  /** Returns an id without an event, from which a reader that has everything can resume. */
  position(): string;
  /** Returns the events after the one with this id; `undefined` if they are no longer stored. */
  after(id: string): LoggedEvent[] | undefined;
}

export function createEventLog(): EventLog {
  // Distinguishes ids of this process from those of an earlier one.
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
