import type { Test } from 'tap';
import { startFakeVendors } from '../../../support/jobs/fake-vendors.ts';

/** A stand-in for meta.fabricmc.net whose newest stable version can be changed. */
export interface FakeFabric {
  /** For `vendors` in the settings. */
  readonly base: string;
  publish(version: string): void;
}

export async function startFakeFabric(t: Test, version: string): Promise<FakeFabric> {
  const { base, files } = await startFakeVendors(t, { java: Buffer.alloc(1) });
  const json = (name: string, value: unknown) => files.set(name, Buffer.from(JSON.stringify(value)));
  const publish = (newest: string) => {
    json('/v2/versions/game', [{ version: newest, stable: true }]);
    json(`/v2/versions/loader/${newest}`, [{ loader: { version: '0.17.3', stable: true } }]);
  };
  json('/v2/versions/installer', [{ version: '1.1.0', stable: true }]);
  publish(version);
  return { base, publish };
}
