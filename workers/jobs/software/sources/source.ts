import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import type { Digest } from '../../vendors/digest.ts';
import type { Vendor, VendorAddresses } from '../../vendors/vendor.ts';

/** A version as its vendor lists it. */
export interface ListedVersion {
  version: string;
  /** False for snapshots, betas and the like. */
  stable: boolean;
}

/** What is downloaded for one version. */
export interface Release {
  version: string;
  /** The vendor's build of it: Paper's build number, a loader's or Forge's own version. */
  build: string;
  /** Major version of the Java that the vendor says it needs. */
  java?: number | undefined;
  /** False for an alpha or beta build of a version that is finished itself. */
  isFinished?: boolean;
  file: {
    vendor: Vendor;
    url: string;
    /** Absent: the vendor publishes none. */
    digest?: Digest | undefined;
    bytes?: number | undefined;
  };
}

export interface SourceContext {
  vendors: VendorAddresses;
  /** Folder for what was looked up and never changes. */
  cache: string;
  signal: AbortSignal;
}

/** Versions and downloads of one kind, from somebody's API. Both throw `vendor_unavailable`. */
export interface Source {
  /** Newest first. */
  list(): Promise<ListedVersion[]>;
  /** The newest build of a version, a finished one if there is any. Throws `version_not_found`. */
  find(version: string): Promise<Release>;
}

export function versionNotFound(version: string, why = 'The vendor has no version'): GamekeeperError {
  return new GamekeeperError('version_not_found', `${why} "${version}".`);
}
