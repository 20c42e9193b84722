/** A copy of an archive, as a store keeps it. */
export interface StoredObject {
  /** `<instance>/<backupId>.zip`, with `.age` appended where encrypted: ASCII, `/` between the parts. */
  key: string;
  sizeBytes: number;
  /** Of the bytes that are stored, hex. */
  sha256: string;
}

export interface TransferOptions {
  signal: AbortSignal;
  /** Called with the bytes that have gone over since the last call; what an earlier attempt left there counts at once. */
  onProgress: (bytes: number) => void;
  /** Upper limit; default: none. */
  bytesPerSecond?: number | undefined;
  /** The same for what an upload reads back to be sure of it. */
  checkBytesPerSecond?: number | undefined;
}

/**
 * A place for archives beyond the backup folder. Everything rejects with a coded error that names the store, never its credentials:
 * `store_unavailable` (not there, cut off: trying again makes sense), `store_refused` (credentials, host key, missing bucket: somebody
 * has to do something), `insufficient_storage` (the far end is full); an abort rejects with the signal's reason.
 */
export interface Store {
  readonly name: string;
  /**
   * Uploads a file under a temporary name or in parts, resuming what an earlier attempt left where the protocol can, verifies it at the
   * far end and only then makes it visible under its key, replacing what was there. After an abort or a crash nothing half is visible.
   */
  put(object: StoredObject & { file: string }, how: TransferOptions): Promise<void>;
  stat(key: string, signal: AbortSignal): Promise<{ sizeBytes: number } | null>;
  /**
   * Downloads to a local file (`<to>.partial` until whole), resuming a part that is there. The caller compares the hash. Throws
   * `backup_damaged` when the store has no such object (any more).
   */
  get(key: string, to: string, how: TransferOptions): Promise<void>;
  /** True when what lies there is the object: by the far end's checksum where it has a trustworthy one, else read back and hashed. */
  verify(object: StoredObject, how: TransferOptions): Promise<boolean>;
  /** Also what an unfinished upload of it has left. Nothing there is fine. */
  remove(key: string, signal: AbortSignal): Promise<void>;
  /** Writes, reads and removes a small object; throws what is wrong and what to do. */
  test(signal: AbortSignal): Promise<void>;
  /** Ends connections that are kept open. What is under way rejects. */
  close(): Promise<void>;
}

/** What a store needs to know of this machine; absolute paths. */
export interface StorePlace {
  /** Where the archives are. */
  backups: string;
  /** Where the folders of the servers are. */
  instances: string;
  /** How long nothing may move, milliseconds. */
  stallMs: number;
}

/** How an upload is read back: it comes from there, and is no progress of its own. */
export function checking({ checkBytesPerSecond, ...how }: TransferOptions): TransferOptions {
  return { ...how, bytesPerSecond: checkBytesPerSecond, onProgress: () => undefined };
}
