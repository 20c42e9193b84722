export interface StoredObject {
  /** `<instance>/<backupId>.zip`, plus `.age` if encrypted: ASCII, with `/` as the separator. */
  key: string;
  sizeBytes: number;
  /** Of the stored bytes, hex. */
  sha256: string;
}

export interface TransferOptions {
  signal: AbortSignal;
  /** Called with the bytes transferred since the last call. What an earlier attempt transferred counts at once. */
  onProgress: (bytes: number) => void;
  /** Upper limit; default: none. */
  bytesPerSecond?: number | undefined;
  /** The limit for reading an upload back. */
  checkBytesPerSecond?: number | undefined;
}

/**
 * A place for copies of archives. All errors are coded and name the store, never its credentials: `store_unavailable` (cannot be reached: a
 * retry makes sense), `store_refused` (credentials, host key, missing bucket: a person must fix it), `insufficient_storage` (the store is
 * full). An abort rejects with the signal's reason.
 */
export interface Store {
  readonly name: string;
  /**
   * Uploads a file under a temporary name or in parts, resuming an earlier attempt if the protocol can, verifies it in the store, and only
   * then makes it visible under its key, replacing what was there. An abort or crash leaves nothing partial visible.
   */
  put(object: StoredObject & { file: string }, how: TransferOptions): Promise<void>;
  stat(key: string, signal: AbortSignal): Promise<{ sizeBytes: number } | null>;
  /** Downloads to `to`, resuming `<to>.partial`. The caller compares the hash. Throws `backup_damaged` if there is no such object. */
  get(key: string, to: string, how: TransferOptions): Promise<void>;
  /** Returns bytes of an object, from `start` to `end` (exclusive), and transfers little more than these. */
  part(part: { key: string; start: number; end: number }, how: TransferOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns true if the store has exactly this object: by the store's checksum if it is trustworthy, else by reading it back. */
  verify(object: StoredObject, how: TransferOptions): Promise<boolean>;
  /** Removes an object and its unfinished uploads, if there are any. */
  remove(key: string, signal: AbortSignal): Promise<void>;
  /** Writes, reads and removes a small object. Throws an error that describes the problem. */
  test(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** What a store must know about this machine. All paths are absolute. */
export interface StorePlace {
  backups: string;
  instances: string;
  /** An operation without any progress for this long fails. Milliseconds. */
  stallMs: number;
}

/** Options for reading an upload back: with the download limit, and not counted as progress. */
export function checking({ checkBytesPerSecond, ...how }: TransferOptions): TransferOptions {
  return { ...how, bytesPerSecond: checkBytesPerSecond, onProgress: () => undefined };
}
