import type * as z from 'zod';
import { fetchJson, ifThere, type VendorAddresses, vendorOf } from '../../vendors/vendor.ts';
import type { ModTarget } from '../mod-target.ts';
import {
  type ModrinthProject,
  type ModrinthVersion,
  projects,
  searchResults,
  version,
  versionsByHash,
} from './modrinth-answers.ts';

/** Modrinth allows 300 requests a minute. If it asks to wait longer than this, the request fails with that message. Milliseconds. */
const PATIENCE_MS = 5_000;
/** Ids or hashes per request: addresses are limited to some kilobytes, and answers include a changelog for each version. */
const MAX_AT_ONCE = 100;

export interface SearchRequest {
  query: string;
  offset: number;
  limit: number;
}

/** Modrinth's API v2, restricted to what fits one instance. Remembers its answers, so each piece of work creates its own. */
export interface Modrinth {
  search(request: SearchRequest): Promise<z.infer<typeof searchResults>>;
  /** Returns modpacks for one of the loaders that are not only for players. */
  searchModpacks(request: SearchRequest): Promise<z.infer<typeof searchResults>>;
  /** Returns `undefined` if there is no project with this id or slug. */
  project(idOrSlug: string): Promise<ModrinthProject | undefined>;
  projects(ids: readonly string[]): Promise<ModrinthProject[]>;
  /** Returns the versions of a project that fit; none if there is no such project. */
  versions(project: string): Promise<ModrinthVersion[]>;
  version(id: string): Promise<ModrinthVersion | undefined>;
  /** Returns the versions that files with these SHA-512 belong to, without the unknown ones. */
  byHash(hashes: readonly string[]): Promise<Record<string, ModrinthVersion>>;
  /** Returns the newest fitting version, of any channel, of each file's project. */
  newestByHash(hashes: readonly string[]): Promise<Record<string, ModrinthVersion>>;
}

export function askModrinth(
  target: ModTarget,
  { vendors, signal }: { vendors: VendorAddresses; signal: AbortSignal },
): Modrinth {
  const vendor = vendorOf('modrinth', vendors);
  const remembered = new Map<string, Promise<unknown>>();

  function ask<Schema extends z.ZodType>(path: string, schema: Schema, json?: object): Promise<z.infer<Schema>> {
    const question = { vendor, url: `${vendor.base}/v2/${path}`, schema, patienceMs: PATIENCE_MS };
    return fetchJson({ ...question, ...(json && { json }) }, signal).then(({ value }) => value);
  }

  function once<T>(key: string, question: () => Promise<T>): Promise<T> {
    const known = remembered.get(key);
    if (known) return known as Promise<T>;
    const answer = question();
    remembered.set(key, answer);
    return answer;
  }

  const filter = { loaders: target.loaders, ...(target.gameVersion && { game_versions: [target.gameVersion] }) };

  const search = ({ query, offset, limit }: SearchRequest, facets: string[][]) =>
    ask(`search?${queryOf({ query, facets, offset, limit, index: 'relevance' })}`, searchResults);

  async function askByHash(path: string, hashes: readonly string[], more: object) {
    const found: Record<string, ModrinthVersion> = {};
    for (const some of portions(hashes))
      Object.assign(found, await ask(path, versionsByHash, { hashes: some, algorithm: 'sha512', ...more }));
    return found;
  }

  return {
    search: (request) => search(request, facetsFor(target)),
    searchModpacks: (request) => search(request, modpackFacets(target)),
    project: (idOrSlug) =>
      once(`p:${idOrSlug}`, () => ifThere(ask(`project/${encodeURIComponent(idOrSlug)}`, projects.element))),
    async projects(ids) {
      const found: ModrinthProject[] = [];
      for (const some of portions(ids)) found.push(...(await ask(`projects?${queryOf({ ids: some })}`, projects)));
      return found;
    },
    versions: (project) =>
      once(`vs:${project}`, async () => {
        const path = `project/${encodeURIComponent(project)}/version?${queryOf({ ...filter, include_changelog: false })}`;
        return (await ifThere(ask(path, version.array()))) ?? [];
      }),
    version: (id) => once(`v:${id}`, () => ifThere(ask(`version/${encodeURIComponent(id)}`, version))),
    byHash: (hashes) => askByHash('version_files', hashes, {}),
    newestByHash: (hashes) => askByHash('version_files/update', hashes, filter),
  };
}

function* portions<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += MAX_AT_ONCE) yield all.slice(at, at + MAX_AT_ONCE);
}

function queryOf(values: Record<string, unknown>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values))
    query.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return query;
}

/** Every inner list must match with at least one of its entries. Loaders are categories there, and plugins are of type `mod` in v2. */
function facetsFor({ loaders, gameVersion }: ModTarget): string[][] {
  return [
    ['project_type:mod', 'project_type:plugin'],
    loaders.map((loader) => `categories:${loader}`),
    ['server_side:required', 'server_side:optional'],
    ...(gameVersion ? [[`versions:${gameVersion}`]] : []),
  ];
}

/** Authors of modpacks often leave open whether servers can use them. */
function modpackFacets({ loaders }: ModTarget): string[][] {
  return [
    ['project_type:modpack'],
    loaders.map((loader) => `categories:${loader}`),
    ['server_side:required', 'server_side:optional', 'server_side:unknown'],
  ];
}
