/** A line of a server's log. Numbers start at 1 and go on for as long as the log exists. */
export interface ConsoleLine {
  seq: number;
  at: string;
  /** With ANSI colours; personal data is already redacted. */
  text: string;
  /** True for a line of Gamekeeper's own. */
  notice?: boolean;
}

export type ConsoleState = 'connecting' | 'open' | 'lost' | 'ended';

export interface ConsoleHandlers {
  onLines: (lines: readonly ConsoleLine[]) => void;
  /** A line without its end yet, such as a prompt or a progress bar. */
  onUnfinished: (text: string) => void;
  /** Lines that were deleted from the log before they could be read. */
  onSkipped: (count: number) => void;
  /** A message of Gamekeeper itself, such as a refused command. */
  onNotice: (text: string) => void;
  onState: (state: ConsoleState) => void;
}

export interface ConsoleConnection {
  /** Sends one line. Returns false if there is no connection. */
  send(command: string): boolean;
  resize(size: { columns: number; rows: number }): void;
  close(): void;
}

type Message = { lines: ConsoleLine[] } | { unfinished: string } | { skipped: number } | { notice: string };

/** Delays between attempts to reconnect double up to the maximum. */
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;
/** RFC 6455, 7.4.1. Sent when the session ends or loses access to the console. */
const POLICY_VIOLATION = 1008;

/**
 * Follows a console over WebSocket. After a lost connection it resumes behind the last line received, so every line arrives exactly once.
 * `from` is the number of the first line wanted, 1 for the whole log; without it the log's last 200 lines come first.
 */
export function connectConsole(
  { instanceId, from }: { instanceId: string; from?: number },
  handlers: ConsoleHandlers,
): ConsoleConnection {
  let last = from === undefined ? undefined : from - 1;
  let size: { columns: number; rows: number } | undefined;
  let socket: WebSocket | undefined;
  let delayMs = FIRST_DELAY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  function open(): void {
    handlers.onState('connecting');
    const query = new URLSearchParams({ format: 'json', unfinished: '1' });
    if (last !== undefined) query.set('after', String(last));
    const origin = location.origin.replace(/^http/, 'ws');
    socket = new WebSocket(`${origin}/ws/instances/${encodeURIComponent(instanceId)}/console?${query}`);
    socket.onopen = () => {
      delayMs = FIRST_DELAY_MS;
      handlers.onState('open');
      sendSize();
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => receive(JSON.parse(data) as Message);
    socket.onclose = ({ code }) => {
      if (closed) return;
      if (code === POLICY_VIOLATION) return handlers.onState('ended');
      handlers.onState('lost');
      if (closed) return; // by the handler
      timer = setTimeout(open, delayMs);
      delayMs = Math.min(MAX_DELAY_MS, delayMs * 2);
    };
  }

  function receive(message: Message): void {
    if ('lines' in message) {
      last = message.lines.at(-1)?.seq ?? last;
      handlers.onLines(message.lines);
    } else if ('unfinished' in message) handlers.onUnfinished(message.unfinished);
    else if ('skipped' in message) handlers.onSkipped(message.skipped);
    else handlers.onNotice(message.notice);
  }

  function sendSize(): void {
    if (size && socket?.readyState === WebSocket.OPEN) socket.send(new TextEncoder().encode(JSON.stringify(size)));
  }

  open();
  return {
    send(command) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(command);
      return true;
    },
    resize(next) {
      size = next;
      sendSize();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
