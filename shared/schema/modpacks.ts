import * as z from 'zod';
import { createInstance } from './instance.ts';
import { installMod, modSearch } from './mods.ts';

const { name, id, port, memoryMb, acceptEula, autoStart } = createInstance.shape;

/** Which modpack, and settings of the new server. What the modpack decides cannot be set: software and version. */
export const createFromModpack = z
  .strictObject({
    project: installMod.shape.project,
    version: installMod.shape.version.describe('Id or number of a version of the modpack. Default: the newest'),
    name: name.optional().describe('Default: the name of the modpack'),
    id,
    port,
    memoryMb: memoryMb.removeDefault().optional().describe('Default: by the number of mods'),
    acceptEula,
    autoStart,
    start: z.boolean().default(false).describe('Start it once it is created'),
  })
  .meta({ id: 'CreateFromModpack' });
export type CreateFromModpack = z.infer<typeof createFromModpack>;

const modpack = modSearch.shape.hits.element.omit({ iconUrl: true, installed: true });

export const modpackSearch = modSearch.extend({ hits: z.array(modpack) }).meta({ id: 'ModpackSearch' });
export type ModpackSearch = z.infer<typeof modpackSearch>;

const modpackVersion = z.object({
  versionId: z.string(),
  version: z.string().describe('Its number'),
  channel: z.enum(['release', 'beta', 'alpha']),
  publishedAt: z.string(),
  gameVersions: z.array(z.string()).describe('Versions of Minecraft'),
  loaders: z.array(z.string()),
  suggestedMemoryMb: z.int().describe('By the number of mods, at most half of the memory of this machine. MiB'),
});
export type ModpackVersion = z.infer<typeof modpackVersion>;

export const modpackVersions = z
  .object({ versions: z.array(modpackVersion).describe('Newest first, at most 100') })
  .meta({ id: 'ModpackVersions' });
export type ModpackVersions = z.infer<typeof modpackVersions>;
