import type { BannedPackages } from './bundle.ts';

/** A program that is bundled into one file. */
export interface Entry {
  source: string;
  banned?: BannedPackages;
  /** Packages that are loaded from node_modules when needed. */
  lazy?: string[];
}

export const ENTRIES: Entry[] = [
  { source: 'daemon/main.ts' },
  { source: 'daemon/cli/main.ts' },
  { source: 'gateway/main.ts', lazy: ['@tus/server'] },
  { source: 'gateway/proxy/main.ts', lazy: ['pg', '@simplewebauthn/server', 'openid-client'] },
  {
    source: 'workers/supervisor/main.ts',
    banned: {
      packages: ['zod', 'pino'],
      reason: 'there is one supervisor for each game server, and this package costs it megabytes',
    },
    lazy: ['ws', 'jsonc-parser', 'yaml', '@decimalturn/toml-patch', '@xmldom/xmldom'],
  },
  { source: 'workers/tunnel/main.ts', lazy: ['ssh2', 'ws'] },
  { source: 'workers/jobs/main.ts' },
  { source: 'workers/files/main.ts' },
  { source: 'workers/sftp/main.ts' },
  { source: 'workers/pool/main.ts' },
  { source: 'workers/demo/main.ts', lazy: ['ws'] },
];
