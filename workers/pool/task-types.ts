import type { JavaVersion } from '../../shared/domain/java-version.ts';
import type { CodedFailure } from '../../shared/errors/gamekeeper-error.ts';
import type { EncryptionSettings } from '../../shared/schema/backup-settings.ts';
import type { Findings } from '../../shared/schema/import.ts';

/**
 * What the threads of the pool do, as the jobs process sees it. Tasks and results cross a thread boundary, so they are plain data;
 * a failure that a user is told about comes back as an outcome, since a thrown error would lose its class on the way.
 */
export interface PoolTasks {
  archive: { task: ArchiveTask; result: ArchiveResult };
  extract: { task: ExtractTask; result: ExtractResult };
  verify: { task: VerifyTask; result: VerifyResult };
  encrypt: { task: EncryptTask; result: EncryptResult };
  decrypt: { task: DecryptTask; result: DecryptResult };
  compare: { task: CompareTask; result: CompareResult };
  inspect: { task: InspectTask; result: InspectResult };
  copy: { task: CopyTask; result: CopyResult };
  exportFolder: { task: ExportTask; result: ExportResult };
  recognise: { task: RecogniseTask; result: RecogniseResult };
  peek: { task: PeekTask; result: PeekResult };
  describe: { task: DescribeTask; result: JarDescription[] };
}
export type PoolTaskName = keyof PoolTasks;
export type Outcome<Name extends PoolTaskName> = { result: PoolTasks[Name]['result'] } | { failure: CodedFailure };

/** Writes a folder into a ZIP. */
export interface ArchiveTask {
  /** Absolute path of the folder. */
  source: string;
  /** Absolute path of the file to write, synced but not yet renamed: a `.partial`. Its folder exists. */
  target: string;
  /** Globs of what is left out, besides lock files (exclusion.ts). */
  exclude: readonly string[];
  /** Memory of a Progress; it counts bytes of source. */
  progress: SharedArrayBuffer;
}

export interface ArchiveResult {
  sizeBytes: number;
  /** Of the whole archive, hex; computed while it was written. */
  sha256: string;
  fileCount: number;
  /** Bytes of content before compression. */
  sourceBytes: number;
  /** Relative paths of files that changed or vanished while they were read, or whose name is not UTF-8 (`caf%E9.txt`). */
  changedFiles: string[];
  /** Relative paths that stand in the folder but not in the archive, topmost ones only: a restore must leave them in place. As in file-name.ts. */
  leftOut: string[];
}

/** Unpacks a ZIP of ours into a folder. */
export interface ExtractTask {
  archive: string;
  /** Folder to create and fill. Removed again by the caller if the task fails. */
  target: string;
  /** What the archive's hash must be, hex. */
  sha256: string;
  /** What is in it according to the catalogue: more is refused. */
  sourceBytes: number;
  /** Counts the archive's bytes while hashing, then bytes of content. */
  progress: SharedArrayBuffer;
}

export interface ExtractResult {
  fileCount: number;
}

/** Reads a ZIP of ours completely: its hash, its structure, and the checksum of every entry. Writes nothing. */
export interface VerifyTask {
  archive: string;
  sha256: string;
  sourceBytes: number;
  progress: SharedArrayBuffer;
}

export interface VerifyResult {
  sha256: string;
  /** What is wrong, as a sentence; `null`: nothing. */
  damage: string | null;
}

/** Encrypts an archive with age. */
export interface EncryptTask {
  source: string;
  /** Absolute path of the file to write, synced but not yet renamed: a `.partial`. Its folder exists. */
  target: string;
  /** What the source's hash must be, hex. */
  sha256: string;
  encryption: EncryptionSettings;
  progress: SharedArrayBuffer;
}

/** Of the encrypted file. */
export interface EncryptResult {
  sizeBytes: number;
  sha256: string;
}

/** The other way round: `sha256` is what the target's hash must be. */
export type DecryptTask = EncryptTask;

export interface DecryptResult {
  sizeBytes: number;
}

/** Compares what was unpacked with the archive that it came from. */
export interface CompareTask {
  archive: string;
  folder: string;
  sourceBytes: number;
  /** Counts bytes of content. */
  progress: SharedArrayBuffer;
}

export interface CompareResult {
  fileCount: number;
}

/** Reads a ZIP that nobody has a record of. */
export interface InspectTask {
  archive: string;
  progress: SharedArrayBuffer;
}

export interface InspectResult {
  sha256: string;
  sizeBytes: number;
  fileCount: number;
  sourceBytes: number;
}

/** Copies a folder. */
export interface CopyTask {
  /** Absolute paths. The target's folder exists, and it itself does not. */
  source: string;
  target: string;
  /** Counts bytes of content. */
  progress: SharedArrayBuffer;
}

export interface CopyResult {
  fileCount: number;
}

/** Writes a folder as a ZIP to somebody who listens. */
export interface ExportTask {
  /** Absolute path of the folder. */
  source: string;
  /** Path of the local socket to write to. */
  socket: string;
  manifest: { name: string; content: object /** Milliseconds since the epoch. */; at: number };
  /** Counts bytes of content. */
  progress: SharedArrayBuffer;
}

export interface ExportResult {
  fileCount: number;
}

/** Says what server a folder holds. */
export interface RecogniseTask {
  /** Absolute path. */
  directory: string;
}

export interface RecogniseResult {
  findings: Findings;
  /** Files, relative to the folder, that a server which is running has open. */
  locks: string[];
  /** Folders in it that look like a server's, where it does not itself. */
  nested: string[];
  /** Major version of Java that the program says it needs. */
  java?: number;
  /** What a script starts it with. */
  scriptJava?: { value: JavaVersion; from: string };
}

/** Unpacks of a ZIP only what tells which server it holds. */
export interface PeekTask {
  archive: string;
  /** Absolute path of the folder to make. Removed by the caller. */
  target: string;
}

export interface PeekResult {
  /** Absolute path of the server's folder: the target, or the one folder in it that holds everything. */
  folder: string;
}

/** A folder that is alone in a ZIP holds the server, unless it is called like this. */
export const WORLD_NAME = /^worlds?$/i;

/** Says what jars are: mods and plugins, from wherever. */
export interface DescribeTask {
  /** Absolute paths. */
  files: readonly string[];
}

/** What a mod or plugin says of itself. It is hostile input: text of bounded length without control characters, and no more than that. */
export interface JarAbout {
  name: string;
  version?: string;
}

export interface JarDescription {
  /** Hex. Absent: it is no ordinary file, is gone, or larger than a mod can be. */
  sha512?: string;
  /** Absent: it says nothing that is understood. */
  about?: JarAbout;
}

/** Name of our own folder inside a server's, while a restore is swapped entry by entry; never archived. */
export const RESTORE_FOLDER_PREFIX = '.gamekeeper-restore-';
