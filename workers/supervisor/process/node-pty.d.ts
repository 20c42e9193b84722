/**
 * The part of node-pty that we use. Its own types lack three fields, and cannot be used anyway: the prebuilt fork is installed under the
 * original's name, but declares its own.
 */
declare module 'node-pty' {
  import type { ReadStream } from 'node:tty';

  export interface Terminal {
    readonly pid: number;
    /** The terminal's master side; not on Windows. */
    readonly fd: number;
    /** The path of the other side; not on Windows. */
    readonly _pty: string;
    /** The stream that reads from it; not on Windows. */
    readonly _socket: ReadStream;
    /** Bytes, since there is no `encoding`. */
    onData(listener: (bytes: Buffer) => void): void;
    onExit(listener: (exit: { exitCode: number; signal?: number }) => void): void;
    write(text: string): void;
    resize(columns: number, rows: number): void;
    kill(signal?: string): void;
  }

  export interface TerminalOptions {
    name?: string;
    cols?: number;
    rows?: number;
    cwd?: string;
    env?: Readonly<Record<string, string>>;
    encoding: null;
  }

  export function spawn(file: string, args: string[], options: TerminalOptions): Terminal;
}
