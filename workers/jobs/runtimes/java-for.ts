import { JAVA_VERSIONS, type JavaVersion } from '../../../shared/domain/java-version.ts';

/** The runtime that we provide for a needed major version: the oldest that is new enough; so 1.17, which wants 16, runs on 17. */
export function javaFor(needed: number): JavaVersion | undefined {
  return JAVA_VERSIONS.find((version) => Number(version) >= needed);
}
