import type { FieldReader } from '../protocol/fields.ts';
import type { FilesCalls } from './files-calls.ts';
import type { OpenFiles } from './open-files.ts';
import type { ServerPlace, Servers } from './servers.ts';

/** Answers one kind of request; throws SftpFailure or what the files process throws. `fields` stands after the id. */
export type Handler = (id: number, fields: FieldReader) => Promise<Buffer> | Buffer;

/** What the requests of one session work with. */
export interface SessionParts {
  username: string;
  servers: Servers;
  open: OpenFiles;
  files: FilesCalls;
  /** Records that something was changed, or was to be. */
  changed: (change: Change) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export interface Change {
  /** For people: `write /plugins/shop.yml`. */
  what: string;
  instanceId: string;
  isRefused: boolean;
}

/** Runs a change and records its outcome. */
export async function recorded<T>(
  changed: SessionParts['changed'],
  { what, place }: { what: string; place: ServerPlace },
  work: () => Promise<T>,
): Promise<T> {
  const change = { what: `${what} /${place.path}`, instanceId: place.instanceId };
  try {
    const result = await work();
    changed({ ...change, isRefused: false });
    return result;
  } catch (error) {
    changed({ ...change, isRefused: true });
    throw error;
  }
}
