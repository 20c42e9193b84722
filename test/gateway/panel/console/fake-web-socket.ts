import type { Test } from 'tap';

/** Stands in for the browser's WebSocket. */
export class FakeWebSocket {
  static readonly OPEN = 1;
  static opened: FakeWebSocket[] = [];
  readonly url: URL;
  readonly sent: unknown[] = [];
  readyState = 0;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number }) => void;

  constructor(url: string) {
    this.url = new URL(url);
    FakeWebSocket.opened.push(this);
  }

  send(data: unknown): void {
    this.sent.push(data);
  }

  open(): void {
    this.readyState = FakeWebSocket.OPEN;
    this.onopen?.();
  }

  receive(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  close(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

/** Replaces WebSocket and the page's address for a test. Returns the sockets that were opened since, oldest first. */
export function useFakeWebSocket(t: Test): FakeWebSocket[] {
  FakeWebSocket.opened = [];
  t.intercept(globalThis, 'WebSocket', { value: FakeWebSocket, configurable: true });
  t.intercept(globalThis, 'location', { value: { origin: 'https://panel.example' }, configurable: true });
  return FakeWebSocket.opened;
}

/** Lines of a log with these numbers. */
export function lines(first: number, last: number): { seq: number; at: string; text: string }[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const seq = first + index;
    return { seq, at: '', text: `\x1b[32mline ${seq}\x1b[0m` };
  });
}
