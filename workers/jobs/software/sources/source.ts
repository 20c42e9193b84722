import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Digest } from '../../vendors/digest.ts';
import type { Vendor, VendorAddresses } from '../../vendors/vendor.ts';

export interface ListedVersion {
  version: string;
  /** False for snapshots, betas and the like. */
  stable: boolean;
}

export interface Release {
  version: string;
  /** The build of this version: Paper's build number, a loader's or Forge's own version. */
  build: string;
  /** Major version of Java that it needs, according to the vendor. */
  java?: number | undefined;
  /** False for an alpha or beta build, even of a version that is finished itself. */
  isFinished?: boolean;
  file: {
    vendor: Vendor;
    url: string;
    /** Absent if the vendor publishes none. */
    digest?: Digest | undefined;
    bytes?: number | undefined;
  };
}

export interface SourceContext {
  vendors: VendorAddresses;
  /** Folder for answers that never change. */
  cache: string;
  signal: AbortSignal;
}

/** The versions and downloads of one kind of software, from a vendor's API. Both methods throw `vendor_unavailable`. */
export interface Source {
  /** Newest first. */
  list(): Promise<ListedVersion[]>;
  /**
   * Returns the newest build of a version, a finished one if there is any. Mod loaders also find a certain `build` of theirs. Throws
   * `version_not_found`.
   */
  find(version: string, build?: string): Promise<Release>;
}

export function versionNotFound(version: string, why = 'The vendor has no version', build?: string): GamekeeperError {
  const wanted = build === undefined ? '' : ` in version ${build}`;
  return new GamekeeperError('version_not_found', `${why} "${version}"${wanted}.`);
}
