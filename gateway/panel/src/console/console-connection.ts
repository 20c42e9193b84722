/** A line of a server's console, numbered from 1 for as long as its log is kept. */
export interface ConsoleLine {
  seq: number;
  at: string;
  /** With ANSI colours; personal data is replaced already. */
  text: string;
}

export type ConsoleState = 'connecting' | 'open' | 'lost' | 'ended';

export interface ConsoleHandlers {
  onLines: (lines: readonly ConsoleLine[]) => void;
  /** What a line that has not ended yet shows: a prompt, a progress bar. */
  onUnfinished: (text: string) => void;
  /** Lines that were rotated away before they could be read. */
  onSkipped: (count: number) => void;
  /** Gamekeeper's own words, such as that a command was refused. */
  onNotice: (text: string) => void;
  onState: (state: ConsoleState) => void;
}

export interface ConsoleConnection {
  /** Types one line. False while there is no connection: nothing was sent. */
  send(command: string): boolean;
  resize(size: { columns: number; rows: number }): void;
  close(): void;
}

type Message = { lines: ConsoleLine[] } | { unfinished: string } | { skipped: number } | { notice: string };

/** Between attempts to connect again: doubled up to the longest. Milliseconds. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** RFC 6455, 7.4.1: the credential ended, or may not look at this any more. */
const POLICY_VIOLATION = 1008;

/**
 * Follows a console over WebSocket. After a lost connection it goes on behind the last line that was seen, so that every line comes
 * exactly once. `from`: the first line wanted, 1 for all that the log still has; without it the last 200.
 */
export function connectConsole(
  { instanceId, from }: { instanceId: string; from?: number },
  handlers: ConsoleHandlers,
): ConsoleConnection {
  let last = from === undefined ? undefined : from - 1;
  let size: { columns: number; rows: number } | undefined;
  let socket: WebSocket | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: number | undefined;
  let closed = false;

  function open(): void {
    handlers.onState('connecting');
    const query = new URLSearchParams({ format: 'json', unfinished: '1' });
    if (last !== undefined) query.set('after', String(last));
    const origin = window.location.origin.replace(/^http/, 'ws');
    socket = new WebSocket(`${origin}/ws/instances/${encodeURIComponent(instanceId)}/console?${query}`);
    socket.onopen = () => {
      pauseMs = FIRST_PAUSE_MS;
      handlers.onState('open');
      sendSize();
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => receive(JSON.parse(data) as Message);
    socket.onclose = ({ code }) => {
      if (closed) return;
      if (code === POLICY_VIOLATION) return handlers.onState('ended');
      handlers.onState('lost');
      if (closed) return; // by who was told
      timer = window.setTimeout(open, pauseMs);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
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
      window.clearTimeout(timer);
      socket?.close();
    },
  };
}
