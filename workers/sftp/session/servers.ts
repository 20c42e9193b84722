import type { FileAttributes } from '../../../shared/contract/file-handles.ts';
import type { FileRight } from '../../../shared/domain/access/grant.ts';
import type { Access } from '../access/access.ts';
import type { Named } from '../protocol/replies.ts';
import { noSuchFile, permissionDenied } from './failure.ts';
import { placeOf } from './virtual-path.ts';

/** Something in the folder of a server that the user may see. */
export interface ServerPlace {
  instanceId: string;
  /** Relative to the folder; '' is the folder itself. */
  path: string;
  right: FileRight;
}

export interface ServersOptions {
  access: Access;
  /** The ids of all instances. */
  instances: () => Iterable<string>;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** `/`, which has a folder for each server whose files the user may see. */
export class Servers {
  readonly #options: ServersOptions;

  constructor(options: ServersOptions) {
    this.#options = options;
  }

  /** Returns `undefined` for the list of servers itself. Throws `noSuchFile` for a server that the user does not see. */
  find(path: string): ServerPlace | undefined {
    const place = placeOf(path);
    if (place.kind === 'top') return undefined;
    const right = this.#options.access.rightOn(place.instanceId);
    const exists = right && [...this.#options.instances()].includes(place.instanceId);
    if (!exists) throw noSuchFile();
    return { instanceId: place.instanceId, path: place.path, right };
  }

  /** The same for what may be changed: something below a server, by somebody who may write. */
  toChange(path: string): ServerPlace {
    const place = this.find(path);
    if (!place || place.path === '' || place.right !== 'write') throw permissionDenied();
    return place;
  }

  list(): Named[] {
    const { access, instances } = this.#options;
    return [...instances()].flatMap((name) => {
      const right = access.rightOn(name);
      return right ? [{ name, attributes: this.#folder(right) }] : [];
    });
  }

  attributes(): FileAttributes {
    return this.#folder('read');
  }

  #folder(right: FileRight): FileAttributes {
    const at = Math.floor(this.#options.now() / 1_000);
    const mode = right === 'write' ? 0o755 : 0o555;
    return { kind: 'folder', sizeBytes: 0, mode, uid: 0, gid: 0, accessedAt: at, modifiedAt: at };
  }
}
