import * as z from 'zod';

/** Pattern of slugs from the Modrinth API documentation; ids fit as well. */
const project = z
  .string()
  .regex(/^[\w!@$()`.+,"'-]{1,64}$/, 'must be the id or slug of a Modrinth project')
  .describe('Id or slug of a Modrinth project');
const dryRun = z.boolean().default(false).describe('Only return what would change');

export const installMod = z
  .strictObject({
    project,
    version: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Id or number of a version. Default: the newest that fits the instance'),
    dryRun,
  })
  .meta({ id: 'InstallMod' });
export type InstallMod = z.infer<typeof installMod>;

export const updateMods = z
  .strictObject({ project: project.optional().describe('Id or slug. Default: everything from Modrinth'), dryRun })
  .meta({ id: 'UpdateMods' });
export type UpdateMods = z.infer<typeof updateMods>;

const installedMod = z
  .object({
    file: z.string().describe('File name'),
    enabled: z.boolean().describe('false: the file name ends with ".disabled", so the server does not load it'),
    sizeBytes: z.int(),
    name: z.string().describe('Name of the project, else from the file, else the file name'),
    version: z.string().optional(),
    projectId: z.string().optional().describe('Modrinth project; absent: not known to be from Modrinth'),
    versionId: z.string().optional(),
    slug: z.string().optional(),
    fits: z.boolean().optional().describe("Whether it fits the instance's software and version; absent: unknown"),
    waiting: z.enum(['install', 'remove']).optional().describe('The change at the next start'),
  })
  .meta({ id: 'InstalledMod' });
export type InstalledMod = z.infer<typeof installedMod>;

export const modList = z
  .object({
    folder: z.enum(['mods', 'plugins']).describe("In the instance's folder"),
    loaders: z.array(z.string()).describe('Loaders whose mods or plugins run here'),
    mods: z.array(installedMod),
  })
  .meta({ id: 'ModList' });
export type ModList = z.infer<typeof modList>;

export const modSearch = z
  .object({
    hits: z.array(
      z.object({
        projectId: z.string(),
        slug: z.string(),
        title: z.string(),
        description: z.string(),
        author: z.string(),
        downloads: z.int(),
        iconUrl: z.string().optional(),
        installed: z.boolean(),
      }),
    ),
    offset: z.int(),
    limit: z.int(),
    total: z.int(),
  })
  .meta({ id: 'ModSearch' });
export type ModSearch = z.infer<typeof modSearch>;

const modChange = z.object({
  action: z.enum(['install', 'update', 'remove']),
  name: z.string(),
  file: z.string().describe('The file that is added or removed'),
  projectId: z.string().optional(),
  version: z.string().optional().describe('New version'),
  from: z.string().optional().describe('Old version'),
  neededBy: z.array(z.string()).optional().describe('It was not requested, but these need it'),
});
export type ModChange = z.infer<typeof modChange>;

export const modChanges = z
  .object({
    state: z
      .enum(['done', 'waiting', 'planned'])
      .describe('`waiting`: the server is running, and the change is made at its next start. `planned`: a dry run'),
    changes: z.array(modChange),
    notes: z.array(z.string()).describe('What was not changed, and why'),
  })
  .meta({ id: 'ModChanges' });
export type ModChanges = z.infer<typeof modChanges>;
