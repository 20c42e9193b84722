import path from 'node:path';
import { RESTORE_FOLDER_PREFIX } from '../task-types.ts';
import { globToRegExp } from './glob.ts';

/**
 * Never archived, wherever they stand: they belong to a running process and would only disturb the restored server.
 * `session.lock` is Minecraft's, `LOCK` LevelDB's (Bedrock worlds), `*.lck` java.util.logging's and Derby's; the others are what NFS
 * and FUSE keep of deleted files. Not `*.lock`: that would also be `yarn.lock` and the like.
 */
const TRANSIENT = ['session.lock', 'LOCK', '*.lck', '.nfs*', '.fuse_hidden*'].map(globToRegExp);

/**
 * Why a path is left out of archives, or `undefined` when it is not. `transient` things mean nothing beyond the process that made
 * them; `unwanted` ones were configured by the owner and stay in place when a restore replaces the folder around them.
 */
export type Exclusion = (name: string) => 'transient' | 'unwanted' | undefined;

/**
 * Globs as in `backups.exclude`, on relative paths with `/`: one with a slash is matched against the whole path (`plugins/dynmap/**`),
 * one without against the last segment, at any depth (`*.tmp`). A folder that matches is left out with all that is in it.
 */
export function exclusion(globs: readonly string[]): Exclusion {
  const onPath = globs.filter(hasSlash).map((glob) => globToRegExp(glob.replace(/^\.?\//, '').replace(/\/$/, '')));
  const onSegment = globs.filter((glob) => !hasSlash(glob)).map(globToRegExp);
  return (name) => {
    if (name.startsWith(RESTORE_FOLDER_PREFIX)) return 'transient';
    const segment = path.posix.basename(name);
    if (TRANSIENT.some((glob) => glob.test(segment))) return 'transient';
    if (onSegment.some((glob) => glob.test(segment)) || onPath.some((glob) => glob.test(name))) return 'unwanted';
    return undefined;
  };
}

/** `logs/` means the folder `logs` at the top, as in .gitignore with a leading slash. */
function hasSlash(glob: string): boolean {
  return glob.includes('/');
}
