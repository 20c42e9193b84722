import type { MessagePort } from 'node:worker_threads';
import type { Omission } from '../../shared/domain/backups/omissions.ts';
import type { JavaVersion } from '../../shared/domain/java/java-version.ts';
import type { CodedFailure } from '../../shared/errors/gamekeeper-error.ts';
import type { Owner } from '../../shared/node/files/owner.ts';
import type { FileDifferences } from '../../shared/schema/backup-files.ts';
import type { EncryptionSettings } from '../../shared/schema/backup-settings.ts';
import type { FileList } from '../../shared/schema/files.ts';
import type { Findings } from '../../shared/schema/import.ts';

/**
 * The tasks of the pool's threads. Tasks and results cross threads, so they are plain data. An error meant for users is returned as an
 * outcome, since a thrown error would lose its class.
 */
export interface PoolTasks {
  archive: { task: ArchiveTask; result: ArchiveResult };
  extract: { task: ExtractTask; result: ExtractResult };
  verify: { task: VerifyTask; result: VerifyResult };
  encrypt: { task: EncryptTask; result: EncryptResult };
  decrypt: { task: DecryptTask; result: DecryptResult };
  compare: { task: CompareTask; result: CompareResult };
  unpackTar: { task: UnpackTarTask; result: ExtractResult };
  inspect: { task: InspectTask; result: InspectResult };
  copy: { task: CopyTask; result: CopyResult };
  exportFolder: { task: ExportTask; result: ExportResult };
  recognise: { task: RecogniseTask; result: RecogniseResult };
  peek: { task: PeekTask; result: PeekResult };
  describe: { task: DescribeTask; result: JarDescription[] };
  listEntries: { task: ListEntriesTask; result: FileList };
  compareToday: { task: CompareTodayTask; result: FileDifferences };
  findPaths: { task: FindPathsTask; result: undefined };
  findEntry: { task: FindEntryTask; result: FoundEntry };
  sendEntry: { task: SendEntryTask; result: undefined };
}
export type PoolTaskName = keyof PoolTasks;
export type Outcome<Name extends PoolTaskName> = { result: PoolTasks[Name]['result'] } | { failure: CodedFailure };

export interface ArchiveTask {
  source: string;
  /** Absolute path of the file to write, in an existing folder: a `.partial`, which is synced but not renamed. */
  target: string;
  /** Globs of what to leave out, besides lock files (exclusion.ts). */
  exclude: readonly string[];
  /** Without it, the task fails if a link leads to a world outside of the folder, which would be missing from the archive. */
  allowWorldLinks?: boolean;
  /** Memory of a Progress that counts bytes of the source. */
  progress: SharedArrayBuffer;
}

/** Files and folders that nobody excluded and that the result does not contain. */
interface Omitted {
  /** The first ones. */
  omitted: Omission[];
  omittedCount: number;
}

export interface ArchiveResult extends Omitted {
  sizeBytes: number;
  /** Of the whole archive, hex, computed while it was written. */
  sha256: string;
  fileCount: number;
  /** Bytes of content before compression. */
  sourceBytes: number;
  /** Paths of files that changed or vanished while they were read, or whose name is not UTF-8, as `shownName` writes them. The first 1,000. */
  changedFiles: string[];
  /** Paths that a restore must carry over: topmost relative paths that are not in the archive. Encoded as in file-name.ts. */
  leftOut: string[];
}

/** Unpacks one of our own ZIP files into a folder. */
export interface ExtractTask {
  archive: string;
  /** Folder to create: an absolute path, links resolved. If the task fails, the caller removes it. */
  target: string;
  /** Expected hash of the archive, hex. */
  sha256: string;
  /** Total size of the content according to the catalogue: more is refused. */
  sourceBytes: number;
  /** Who gets the files, if this process may do that. `kept`: the owners and groups that the archive records; only for backups. */
  owners?: 'kept' | Owner | undefined;
  /** Unpacks only these files and folders, relative paths. Throws `file_not_found` if the archive lacks one of them. */
  only?: readonly string[];
  /** Counts the archive's bytes while hashing, then bytes of content. */
  progress: SharedArrayBuffer;
}

export interface ExtractResult {
  fileCount: number;
}

/** Unpacks a compressed tar archive from elsewhere into a folder. */
export interface UnpackTarTask {
  archive: string;
  compression: 'gzip' | 'xz';
  /** Folder to create: an absolute path, links resolved. If the task fails, the caller removes it. */
  target: string;
  /** How many folders at the top the caller leaves out: links are checked by where they lead then. */
  strip: number;
  /** Counts the archive's bytes. */
  progress: SharedArrayBuffer;
}

/** Reads one of our own ZIP files completely: its hash, its structure, the checksum of every entry. Writes nothing. */
export interface VerifyTask {
  archive: string;
  sha256: string;
  sourceBytes: number;
  progress: SharedArrayBuffer;
}

export interface VerifyResult {
  sha256: string;
  /** The damage, as a sentence, or `null`. */
  damage: string | null;
}

export interface EncryptTask {
  source: string;
  /** Absolute path of the file to write, in an existing folder: a `.partial`, which is synced but not renamed. */
  target: string;
  /** Expected hash of the source, hex. */
  sha256: string;
  encryption: EncryptionSettings;
  progress: SharedArrayBuffer;
}

export interface EncryptResult {
  sizeBytes: number;
  sha256: string;
}

/** For decryption, `sha256` is the expected hash of the target. */
export type DecryptTask = EncryptTask;

export interface DecryptResult {
  sizeBytes: number;
}

export interface CompareTask {
  archive: string;
  folder: string;
  sourceBytes: number;
  progress: SharedArrayBuffer;
}

export interface CompareResult {
  fileCount: number;
}

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

export interface CopyTask {
  /** Absolute paths. The target must not exist, but its parent must. */
  source: string;
  target: string;
  progress: SharedArrayBuffer;
}

export interface CopyResult extends Omitted {
  fileCount: number;
}

/** Writes a folder as a ZIP to a local socket, or into an empty file. */
export type ExportTask = ExportContent & ({ socket: string } | { file: string });

interface ExportContent {
  source: string;
  /** Only these of its files and folders. The task fails with `file_not_found` if one is missing. */
  names?: readonly string[];
  /** Absent for a plain download of a folder. */
  manifest?: { name: string; content: object /** Milliseconds since the epoch. */; at: number };
  progress: SharedArrayBuffer;
}

export interface ExportResult extends Omitted {
  fileCount: number;
}

export interface RecogniseTask {
  directory: string;
}

export interface RecogniseResult {
  findings: Findings;
  /** Files, relative to the folder, that a running server has open. */
  locks: string[];
  /** Subfolders that look like a server's, if the folder does not. */
  nested: string[];
  /** Major version of Java, according to the program. */
  java?: number;
  /** The Java version that a start script uses. */
  scriptJava?: { value: JavaVersion; from: string };
}

/** Unpacks only the parts of a ZIP that show which server it contains. */
export interface PeekTask {
  archive: string;
  /** Absolute path of the folder to create. The caller removes it. */
  target: string;
}

export interface PeekResult {
  /** Absolute path of the server's folder: the target, or the single folder in it. */
  folder: string;
}

/** The file at the top of a modpack for Modrinth that says what it needs. Of 1,000 files it has some 700 KB. */
export const PACK_INDEX = 'modrinth.index.json';
export const PACK_INDEX_BYTES = 8 * 1024 * 1024;

/** A single folder in a ZIP is the server, unless it has one of these names. */
export const WORLD_NAME = /^worlds?$/i;

export interface DescribeTask {
  /** Absolute paths. */
  files: readonly string[];
}

/** Name and version that a mod or plugin claims. Hostile input, reduced to short text without control characters. */
export interface JarAbout {
  name: string;
  version?: string;
}

export interface JarDescription {
  /** Hex. Absent if the file is no ordinary one, is gone, or is larger than any mod. */
  sha512?: string;
  /** Absent if it has no known descriptor. */
  about?: JarAbout;
}

/** One of our own archives: a file, or a copy in a store, whose bytes the jobs process fetches on request. */
export type ArchivePlace = { file: string } | RemoteArchive;

export interface RemoteArchive {
  /** Of the stored object. */
  sizeBytes: number;
  /** Present if the copy is encrypted. */
  encryption?: EncryptionSettings;
  /** Takes a PartRequest, and answers with a PartAnswer. */
  port: MessagePort;
}

/** Asks for the bytes of a stored object from `start` to `end` (exclusive), at most MOST_PART_BYTES. */
export interface PartRequest {
  id: number;
  start: number;
  end: number;
}
export type PartAnswer = { id: number } & ({ bytes: Uint8Array<ArrayBuffer> } | { failure: CodedFailure });

export const MOST_PART_BYTES = 2 * 1024 * 1024;

interface BrowseTask {
  archive: ArchivePlace;
  /** Total size of the content according to the catalogue: more is refused. */
  sourceBytes: number;
}

/** Compares a file or folder with today's. */
export interface CompareTodayTask extends FindEntryTask {
  /** The instance's folder. */
  folder: string;
  exclude: readonly string[];
  /** The last path of the previous page. */
  after?: string;
  limit: number;
}

/** Throws `file_not_found` unless the archive has all of these files and folders. */
export interface FindPathsTask extends BrowseTask {
  paths: readonly string[];
}

export interface FindEntryTask extends BrowseTask {
  /** Relative path in the archive, with `/`. */
  path: string;
}

/** Lists one folder of an archive. `path`: the folder, '' for the topmost. */
export interface ListEntriesTask extends FindEntryTask {
  /** Entries to skip. */
  skip: number;
  limit: number;
}

export interface FoundEntry {
  sizeBytes: number;
  modifiedAt: string;
}

/** Writes the content of one file to a local socket. */
export interface SendEntryTask extends FindEntryTask {
  socket: string;
}

/** Prefix of Gamekeeper's folder inside a server's folder during a restore entry by entry. Never archived. */
export const RESTORE_FOLDER_PREFIX = '.gamekeeper-restore-';
