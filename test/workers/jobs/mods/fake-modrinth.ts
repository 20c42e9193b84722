import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Test } from 'tap';
import { zipBytes } from '../../pool/zip-bytes.ts';

/** A dependency (docs.modrinth.com/api, "VersionDependency"). */
export interface FakeDependency {
  dependency_type: 'required' | 'optional' | 'incompatible' | 'embedded';
  project_id?: string;
  version_id?: string;
  file_name?: string;
}

export interface FakeVersion {
  number: string;
  type?: 'release' | 'beta' | 'alpha';
  loaders?: string[];
  gameVersions?: string[];
  published?: string;
  dependencies?: FakeDependency[];
  fileName?: string;
  /** Default: a jar. */
  content?: Buffer;
  /** False values for the answers. */
  sha512?: string;
  size?: number;
}

/** The id is the slug with a capital; versions' ids add their number. */
export interface FakeProject {
  slug: string;
  /** Default: `mod`. */
  type?: 'mod' | 'modpack';
  serverSide?: 'required' | 'optional' | 'unsupported' | 'unknown';
  versions: FakeVersion[];
}

/** Modrinth's API v2 on a local port: search with facets, projects, versions, files by hash (docs.modrinth.com/api, v2.7.0). */
export interface FakeModrinth {
  readonly base: string;
  /** Requests as `METHOD path`, with their queries. */
  readonly requests: { line: string; userAgent: string; query: URLSearchParams }[];
  /** Answers instead of the stand-in if it returns true. */
  fault: (request: IncomingMessage, response: ServerResponse) => boolean;
  add(...projects: FakeProject[]): void;
  /** The file of a version. */
  jar(slug: string, number: string): Buffer;
  close(): Promise<void>;
}

export const GAME = '1.21.8';

type Version = ReturnType<typeof versionOf>;

export async function startFakeModrinth(t: Test): Promise<FakeModrinth> {
  const projects = new Map<string, FakeProject>();
  const requests: FakeModrinth['requests'] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://local');
    const line = `${request.method} ${decodeURIComponent(url.pathname)}`;
    requests.push({ line, userAgent: request.headers['user-agent'] ?? '', query: url.searchParams });
    if (!modrinth.fault(request, response))
      void answer({ line, query: url.searchParams, request, response }, { catalogue, base });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const catalogue = createCatalogue(projects, base);

  const modrinth: FakeModrinth = {
    base,
    requests,
    fault: () => false,
    add(...more) {
      for (const project of more) projects.set(project.slug, project);
    },
    jar: (slug, number) => jarOf(slug, number),
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  t.teardown(modrinth.close);
  return modrinth;
}

interface Asked {
  /** `METHOD path` */
  line: string;
  query: URLSearchParams;
  request: IncomingMessage;
  response: ServerResponse;
}

interface Answering {
  catalogue: Catalogue;
  base: string;
}

async function answer({ line, query, request, response }: Asked, { catalogue, base }: Answering): Promise<void> {
  const { versions, find, fitting, search } = catalogue;
  const send = (value: unknown) => {
    response.writeHead(value === undefined ? 404 : 200, {
      'content-type': 'application/json',
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '299',
      'x-ratelimit-reset': '60',
    });
    response.end(value === undefined ? '' : JSON.stringify(value));
  };
  const list = (name: string): string[] | undefined => JSON.parse(query.get(name) ?? 'null') ?? undefined;
  const [, method, path] = /^(\w+) \/v2\/(.*)$/.exec(line) ?? [];
  const [what, id = '', more] = path?.split('/') ?? [];
  if (method === undefined) {
    const file = versions().find(({ files }) => files[0]?.url === base + line.slice('GET '.length));
    const version = file && find(file.slug)?.versions.find(({ number }) => number === file.version_number);
    if (version) response.end(contentOf(file.slug, version));
    else send(undefined);
  } else if (method === 'POST') {
    const body = (await json(request)) as { hashes: string[]; loaders?: string[]; game_versions?: string[] };
    const found = body.hashes.flatMap((hash) => {
      const own = versions().find(({ files }) => files[0]?.hashes.sha512 === hash);
      if (path === 'version_files' || !own) return own ? [[hash, own] as const] : [];
      const [newest] = fitting(body.loaders, body.game_versions).filter(
        ({ project_id }) => project_id === own.project_id,
      );
      return newest ? [[hash, newest] as const] : [];
    });
    send(Object.fromEntries(found));
  } else if (what === 'search') send(search(query));
  else if (what === 'projects')
    send(
      list('ids')
        ?.flatMap((one) => find(one) ?? [])
        .map(projectOf),
    );
  else if (what === 'version') send(versions().find((one) => one.id === id));
  else if (what === 'project' && more === undefined) send(projectOf(find(id)));
  else if (what === 'project' && find(id))
    send(fitting(list('loaders'), list('game_versions')).filter(({ slug }) => slug === find(id)?.slug));
  else send(undefined);
}

type Catalogue = ReturnType<typeof createCatalogue>;

/** Finds projects and versions as Modrinth does. */
function createCatalogue(projects: ReadonlyMap<string, FakeProject>, base: string) {
  const versions = () =>
    [...projects.values()].flatMap((one) => one.versions.map((version) => versionOf(one, version, base)));
  const find = (id: string) => [...projects.values()].find((one) => one.slug === id || idOf(one.slug) === id);

  /** Newest first. */
  function fitting(loaders: string[] | undefined, gameVersions: string[] | undefined): Version[] {
    return versions()
      .filter(
        (one) =>
          (!loaders || loaders.some((loader) => one.loaders.includes(loader))) &&
          (!gameVersions || gameVersions.some((game) => one.game_versions.includes(game))),
      )
      .toSorted((a, b) => b.date_published.localeCompare(a.date_published));
  }

  function search(query: URLSearchParams) {
    const facets: string[][] = JSON.parse(query.get('facets') ?? '[]');
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 10)];
    const hits = [...projects.values()].filter((one) => {
      const own = one.versions.map((version) => versionOf(one, version, base));
      const has = new Set([
        `project_type:${one.type ?? 'mod'}`,
        `server_side:${one.serverSide ?? 'required'}`,
        ...own.flatMap(({ loaders }) => loaders.map((loader) => `categories:${loader}`)),
        ...own.flatMap(({ game_versions }) => game_versions.map((game) => `versions:${game}`)),
      ]);
      return one.slug.includes(query.get('query') ?? '') && facets.every((any) => any.some((facet) => has.has(facet)));
    });
    const shown = hits.slice(offset, offset + limit).map((one) => ({
      ...projectOf(one),
      project_id: idOf(one.slug),
      description: `What ${one.slug} does`,
      author: 'anna',
      downloads: 7,
      icon_url: null,
    }));
    return { hits: shown, offset, limit, total_hits: hits.length };
  }

  return { versions, find, fitting, search };
}

export function idOf(slug: string): string {
  return slug[0]!.toUpperCase() + slug.slice(1).replaceAll(/\W/g, '');
}

function jarOf(slug: string, number: string): Buffer {
  const name = `${idOf(slug)} itself`;
  return zipBytes([
    { name: 'META-INF/MANIFEST.MF', content: 'Manifest-Version: 1.0\n' },
    {
      name: 'fabric.mod.json',
      content: JSON.stringify({ schemaVersion: 1, id: slug, name, version: number }),
      method: 'deflated',
    },
    { name: 'plugin.yml', content: `name: ${name}\nversion: ${number}\nmain: x.Y\n`, method: 'deflated' },
  ]);
}

function contentOf(slug: string, { content, number }: FakeVersion): Buffer {
  return content ?? jarOf(slug, number);
}

function projectOf(project: FakeProject | undefined) {
  if (!project) return undefined;
  const { slug, serverSide = 'required', type = 'mod' } = project;
  return { id: idOf(slug), slug, title: idOf(slug), server_side: serverSide, project_type: type, downloads: 7 };
}

function versionOf({ slug }: FakeProject, version: FakeVersion, base: string) {
  const { number, type = 'release', loaders = ['fabric'], gameVersions = [GAME] } = version;
  const id = idOf(slug) + number.replaceAll(/\W/g, '');
  const content = contentOf(slug, version);
  const file = version.fileName ?? `${slug}-${number}.jar`;
  return {
    slug,
    id,
    project_id: idOf(slug),
    author_id: 'EEFFGGHH',
    name: `${slug} ${number}`,
    version_number: number,
    version_type: type,
    changelog: 'Better.',
    featured: false,
    loaders,
    game_versions: gameVersions,
    date_published: version.published ?? `2026-01-01T00:00:0${number.replaceAll(/\D/g, '').slice(-1)}.000000Z`,
    downloads: 7,
    dependencies: (version.dependencies ?? []).map((one) => ({
      version_id: null,
      project_id: null,
      file_name: null,
      ...one,
    })),
    files: [
      {
        hashes: {
          sha512: version.sha512 ?? createHash('sha512').update(content).digest('hex'),
          sha1: createHash('sha1').update(content).digest('hex'),
        },
        url: `${base}/data/${id}/${slug}.jar`,
        filename: file,
        primary: true,
        size: version.size ?? content.length,
        file_type: null,
      },
    ],
  };
}
