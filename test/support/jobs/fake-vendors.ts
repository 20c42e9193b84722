import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Test } from 'tap';
import { isOnPath } from '../machine/system-packages.ts';

/** Mojang and Adoptium on one local port. */
export interface FakeVendors {
  /** For `vendors` in the settings. */
  readonly base: string;
  /** Every request: path and User-Agent. */
  readonly requests: { path: string; userAgent: string }[];
  /** The served files by path; a test may change or remove them. */
  readonly files: Map<string, Buffer>;
  close(): Promise<void>;
}

export const SERVER_JAR = Buffer.from('not really a program '.repeat(5000));

export async function startFakeVendors(
  t: Test,
  { java = javaArchive(), server: program = SERVER_JAR }: { java?: Buffer; server?: Buffer } = {},
): Promise<FakeVendors> {
  const files = new Map<string, Buffer>();
  const requests: FakeVendors['requests'] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://local');
    requests.push({ path: pathname, userAgent: request.headers['user-agent'] ?? '' });
    const body = files.get(pathname);
    response.writeHead(body ? 200 : 404).end(body ?? 'not found');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  t.teardown(close);

  const serve = (name: string, value: unknown) => {
    const text = JSON.stringify(value);
    files.set(name, Buffer.from(text));
    return { url: base + name, sha1: hash('sha1', text) };
  };
  files.set('/server.jar', program);
  const download = { url: `${base}/server.jar`, sha1: hash('sha1', program), size: program.length };
  const version = (id: string, more: object) => ({ id, type: 'release', ...serve(`/v1/${id}.json`, { id, ...more }) });
  // Not documented by Mojang: minecraft.wiki, "Version manifest" (piston-meta.mojang.com) and "Client.json" (each version's file).
  serve('/mc/game/version_manifest_v2.json', {
    latest: { release: '1.19.4', snapshot: '23w13a' },
    versions: [
      version('1.19.4', {
        downloads: { server: download },
        javaVersion: { component: 'java-runtime-gamma', majorVersion: 17 },
      }),
      version('1.17.1', {
        downloads: { server: download },
        javaVersion: { component: 'java-runtime-alpha', majorVersion: 16 },
      }),
      version('1.20.4', {
        downloads: { server: download },
        javaVersion: { component: 'java-runtime-gamma', majorVersion: 17 },
      }),
      version('99.1', {
        downloads: { server: download },
        javaVersion: { component: 'java-runtime-omega', majorVersion: 99 },
      }),
      version('1.0', { downloads: { client: download } }),
    ],
  });
  // api.adoptium.net/swagger-ui, "GET /v3/assets/latest/{feature_version}/{jvm_impl}"
  files.set('/jre.tar.gz', java);
  const asset = (image_type: string, checksum: string) => ({
    binary: {
      architecture: 'x64',
      os: 'linux',
      image_type,
      heap_size: 'normal',
      jvm_impl: 'hotspot',
      package: { name: 'jre.tar.gz', link: `${base}/jre.tar.gz`, size: java.length, checksum },
    },
    release_name: 'jdk-17.0.15+6',
    vendor: 'eclipse',
    version: { major: 17, semver: '17.0.15+6' },
  });
  serve('/v3/assets/latest/17/hotspot', [asset('debugimage', '0'.repeat(64)), asset('jre', hash('sha256', java))]);
  return { base, requests, files, close };
}

export function hash(algorithm: 'md5' | 'sha1' | 'sha256', content: Buffer | string): string {
  return createHash(algorithm).update(content).digest('hex');
}

let packed: Buffer | undefined;

/** A Java 17 runtime in an archive like Adoptium's, made from this machine's Java. */
function javaArchive(): Buffer {
  if (packed) return packed;
  const folder = mkdtempSync(path.join(tmpdir(), 'gk-jre-'));
  try {
    const home = path.dirname(path.dirname(realpathSync(execFileSync('which', ['java'], { encoding: 'utf8' }).trim())));
    if (isOnPath('jlink'))
      execFileSync('jlink', [
        '--add-modules',
        'java.base',
        '--strip-debug',
        '--output',
        path.join(folder, 'jdk-17-jre'),
      ]);
    else execFileSync('cp', ['-rL', home, path.join(folder, 'jdk-17-jre')]);
    execFileSync('tar', ['-czf', path.join(folder, 'jre.tar.gz'), '-C', folder, 'jdk-17-jre'], {
      env: { ...process.env, GZIP: '-1' },
    });
    packed = readFileSync(path.join(folder, 'jre.tar.gz'));
    return packed;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
