import path from 'node:path';
import { OWN_FOLDER, UNFINISHED_PREFIX } from '../../../shared/domain/files/file-path.ts';
import { createGlob } from '../../../shared/domain/files/glob.ts';
import { RESTORE_FOLDER_PREFIX } from '../task-types.ts';

/**
 * Never archived, in any folder: these files belong to a running process, and would only disturb the restored server. `session.lock` is
 * Minecraft's, `LOCK` LevelDB's (Bedrock worlds), `*.lck` java.util.logging's and Derby's; the others are what NFS and FUSE keep of deleted
 * files. Not `*.lock`, which includes `yarn.lock` and the like.
 */
const TRANSIENT = ['session.lock', 'LOCK', '*.lck', '.nfs*', '.fuse_hidden*'].map(createGlob);

/**
 * Returns why a path is left out of archives, if it is. `ours` are the folders of a restore, and what is not finished yet; `transient` is the name of files that mean nothing
 * beyond the process that made them, but a folder of that name is like any other; `unwanted` is what the owner excludes, and the trash. It stays
 * in place through a restore.
 */
export type Exclusion = (name: string) => 'ours' | 'transient' | 'unwanted' | undefined;

/**
 * Interprets globs as in `backups.exclude`, on relative paths with `/`. A glob with a slash matches the whole path (`plugins/dynmap/**`),
 * one without matches the last segment at any depth (`*.tmp`). A matching folder is left out with all that is in it.
 */
export function createExclusion(globs: readonly string[]): Exclusion {
  const onPath = globs.filter(hasSlash).map((glob) => createGlob(glob.replace(/^\.?\//, '').replace(/\/$/, '')));
  const onSegment = globs.filter((glob) => !hasSlash(glob)).map(createGlob);
  return (name) => {
    if (name.startsWith(RESTORE_FOLDER_PREFIX)) return 'ours';
    if (name === OWN_FOLDER) return 'unwanted';
    const segment = path.posix.basename(name);
    if (segment.startsWith(UNFINISHED_PREFIX)) return 'ours';
    if (TRANSIENT.some((glob) => glob(segment))) return 'transient';
    if (onSegment.some((glob) => glob(segment)) || onPath.some((glob) => glob(name))) return 'unwanted';
    return undefined;
  };
}

/** `logs/` means the folder `logs` at the top, like `/logs/` in .gitignore. */
function hasSlash(glob: string): boolean {
  return glob.includes('/');
}
