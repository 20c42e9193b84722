import * as z from 'zod';
import { replaceUnprintable } from '../../../../shared/domain/console/invisible-characters.ts';

/** Modrinth's answers (docs.modrinth.com/api, v2.7). Texts come from strangers: they are cut, and become one line without hidden characters. */
const text = (length: number) =>
  z
    .string()
    .transform((value) => replaceUnprintable(value.slice(0, length), () => ' ').replace(/[\p{C}\u{2800}]+/gu, ' '));
const id = z.string().regex(/^\w{1,64}$/);

const dependency = z.object({
  version_id: id.nullish(),
  project_id: id.nullish(),
  file_name: text(255).nullish(),
  dependency_type: z.string(),
});

const versionFile = z.object({
  hashes: z.object({ sha512: z.string().regex(/^[0-9a-f]{128}$/) }),
  url: z.url({ protocol: /^https?$/ }),
  filename: z.string().max(1_000),
  primary: z.boolean(),
  size: z.int().min(0),
});

export const version = z.object({
  id,
  project_id: id,
  version_number: text(64),
  version_type: z.string(),
  loaders: z.array(z.string()),
  game_versions: z.array(z.string()),
  date_published: z.string(),
  dependencies: z.array(dependency).nullish(),
  files: z.array(versionFile),
});
export type ModrinthVersion = z.infer<typeof version>;

/** By the requested hash. */
export const versionsByHash = z.record(z.string(), version);

export const projects = z.array(
  z.object({
    id,
    slug: text(64),
    title: text(100),
    project_type: z.string(),
    server_side: z.string().default('unknown'),
  }),
);
export type ModrinthProject = z.infer<typeof projects>[number];

export const searchResults = z.object({
  hits: z.array(
    z.object({
      project_id: id,
      slug: text(64),
      title: text(100),
      description: text(500),
      author: text(100),
      downloads: z.int(),
      icon_url: z
        .url({ protocol: /^https?$/ })
        .max(1_000)
        .nullish()
        .catch(undefined),
    }),
  ),
  offset: z.int(),
  limit: z.int(),
  total_hits: z.int(),
});
