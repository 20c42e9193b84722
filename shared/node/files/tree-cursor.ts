import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { hasErrorCode } from '../../errors/error-code.ts';
import { bytesOf, nameOf } from './file-name.ts';

/** Windows has neither flag, and cannot open folders. */
const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
const LINUX = process.platform === 'linux';
/** `..` for each level must fit into PATH_MAX, 4,096 bytes. */
const MAX_CLIMB = 1_000;

/** A folder on the way from the root to where the cursor is. Device and inode tell it from one that has taken its place. */
interface Level {
  name: string;
  device: bigint;
  inode: bigint;
}

/**
 * Moves through a tree of folders and never follows a link in it, not even one that replaces a folder meanwhile (CVE-2024-27102). On Linux
 * each folder is opened inside the one above and reached through its descriptor, so paths may be longer than PATH_MAX; two descriptors are
 * enough for any depth. Elsewhere each folder on the way is checked before it is used. Synchronous: in a pool thread that is ten times
 * faster than asynchronous calls. Names are as in file-name.ts. To be declared with `using`.
 */
export class TreeCursor {
  readonly #root: string;
  readonly #rootDescriptor: number | undefined;
  #descriptor: number | undefined;
  #levels: Level[] = [];
  /** Where the cursor is, relative to the root; `undefined` after a failed move. */
  #folder: string | undefined = '';

  /** `root` is an absolute path, links resolved. Throws ELOOP if by now there is a link on the way to it. */
  constructor(root: string) {
    this.#root = root;
    this.#rootDescriptor = openFolder(root);
    if (this.#rootDescriptor === undefined || placeOf(this.#rootDescriptor) === root) return;
    closeSync(this.#rootDescriptor);
    throw Object.assign(new Error(`A link is on the way to ${root}`), { code: 'ELOOP', path: root });
  }

  /**
   * Moves to a folder, a relative path with `/`, or '' for the root. Returns a path that leads to it until the next move. With `create`,
   * missing folders are created, and it is called with such a path to each. Throws ENOENT, or ENOTDIR or ELOOP for a file or a link.
   */
  enter(folder: string, create?: (place: string, name: string) => void): string {
    if (folder !== this.#folder) this.#move(folder, create);
    return this.#place();
  }

  /** Returns a path that leads to an entry of a folder until the next move. Moves to that folder. */
  placeOf(name: string, create?: (place: string, name: string) => void): string {
    const slash = name.lastIndexOf('/');
    return `${this.enter(slash === -1 ? '' : name.slice(0, slash), create)}/${name.slice(slash + 1)}`;
  }

  [Symbol.dispose](): void {
    this.#goTo(undefined);
    if (this.#rootDescriptor !== undefined) closeSync(this.#rootDescriptor);
  }

  #place(): string {
    return LINUX
      ? `/proc/self/fd/${this.#descriptor ?? this.#rootDescriptor}`
      : path.join(this.#root, ...this.#levels.map(({ name }) => name));
  }

  #move(folder: string, create: ((place: string, name: string) => void) | undefined): void {
    const names = folder === '' ? [] : folder.split('/');
    const differs = this.#levels.findIndex(({ name }, depth) => name !== names[depth]);
    this.#folder = undefined;
    if (differs !== -1) this.#climb(differs);
    for (let depth = this.#levels.length; depth < names.length; depth++) {
      const way = () => names.slice(0, depth + 1).join('/');
      this.#descend(names[depth]!, create && ((place) => create(place, way())));
    }
    this.#folder = folder;
  }

  #descend(name: string, create: ((place: string) => void) | undefined): void {
    if (name === '' || name === '.' || name === '..') throw new Error(`"${name}" is no name of a folder`);
    const place = `${this.#place()}/${name}`;
    let descriptor: number | undefined;
    let isNew = false;
    try {
      descriptor = openFolder(place);
    } catch (error) {
      if (!create || !hasErrorCode(error, 'ENOENT')) throw error;
      mkdirSync(bytesOf(place), { mode: 0o700 });
      descriptor = openFolder(place);
      isNew = true;
    }
    this.#goTo(descriptor);
    this.#levels.push({ name, ...identityOf(descriptor) });
    if (isNew) create?.(this.#place());
  }

  /** Returns to a folder above; to the root, if folders were moved meanwhile. */
  #climb(depth: number): void {
    const above = this.#levels[depth - 1];
    const steps = this.#levels.length - depth;
    const climbed = above && steps <= MAX_CLIMB && LINUX ? this.#folderAbove(above, steps) : undefined;
    this.#levels.length = climbed === undefined && LINUX ? 0 : depth;
    this.#goTo(climbed);
  }

  /** Returns `undefined` if it is another folder by now. */
  #folderAbove({ device, inode }: Level, steps: number): number | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(`${this.#place()}${'/..'.repeat(steps)}`, FOLDER);
    } catch {
      return undefined; // Without the right to search it, there is no way up.
    }
    const found = identityOf(descriptor);
    if (found.device === device && found.inode === inode) return descriptor;
    closeSync(descriptor);
    return undefined;
  }

  #goTo(descriptor: number | undefined): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = descriptor;
  }
}

function openFolder(place: string): number | undefined {
  if (LINUX) return openSync(bytesOf(place), FOLDER);
  requireFolder(place);
  return undefined;
}

function requireFolder(place: string): void {
  const stats = lstatSync(bytesOf(place));
  if (!stats.isDirectory())
    throw Object.assign(new Error(`${place} is not a folder`), { code: 'ENOTDIR', path: place });
}

/** The kernel knows where an open folder really is. */
function placeOf(descriptor: number): string {
  return nameOf(readlinkSync(`/proc/self/fd/${descriptor}`, 'buffer'));
}

function identityOf(descriptor: number | undefined): Pick<Level, 'device' | 'inode'> {
  if (descriptor === undefined) return { device: 0n, inode: 0n };
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  return { device: dev, inode: ino };
}
