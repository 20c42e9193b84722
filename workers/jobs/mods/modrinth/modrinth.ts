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

/** It lets everybody ask 300 times a minute; who is over that and would wait longer than this is told. Milliseconds. */
const PATIENCE_MS = 5_000;
/** Things asked about at once: an address has some kilobytes, and an answer a changelog for each version. */
const MAX_AT_ONCE = 100;

export interface SearchRequest {
  query: string;
  offset: number;
  limit: number;
}

/** Modrinth's API v2, asked about what fits one instance. Remembers its answers: made anew for each piece of work. */
export interface Modrinth {
  search(request: SearchRequest): Promise<z.infer<typeof searchResults>>;
  /** `undefined`: there is none of this id or slug. */
  project(idOrSlug: string): Promise<ModrinthProject | undefined>;
  /** Those that there are. */
  projects(ids: readonly string[]): Promise<ModrinthProject[]>;
  /** Versions of a project that fit; none for a project that there is not. */
  versions(project: string): Promise<ModrinthVersion[]>;
  version(id: string): Promise<ModrinthVersion | undefined>;
  /** What files with these SHA-512 are; those that it does not know are left out. */
  byHash(hashes: readonly string[]): Promise<Record<string, ModrinthVersion>>;
  /** The newest fitting version, of whatever channel, of the project that each file is of. */
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

  async function askByHash(path: string, hashes: readonly string[], more: object) {
    const found: Record<string, ModrinthVersion> = {};
    for (const some of portions(hashes))
      Object.assign(found, await ask(path, versionsByHash, { hashes: some, algorithm: 'sha512', ...more }));
    return found;
  }

  return {
    search: ({ query, offset, limit }) =>
      ask(`search?${queryOf({ query, facets: facetsFor(target), offset, limit, index: 'relevance' })}`, searchResults),
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

/** Lists are sent as JSON. */
function queryOf(values: Record<string, unknown>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values))
    query.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return query;
}

/** All of the lists must hold, of each list one. Loaders are categories there; plugins are of the type `mod` in v2. */
function facetsFor({ loaders, gameVersion }: ModTarget): string[][] {
  return [
    ['project_type:mod', 'project_type:plugin'],
    loaders.map((loader) => `categories:${loader}`),
    ['server_side:required', 'server_side:optional'],
    ...(gameVersion ? [[`versions:${gameVersion}`]] : []),
  ];
}
