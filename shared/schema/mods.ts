import * as z from 'zod';

/** Of Modrinth: an id, or a slug as their documentation allows it. */
const project = z
  .string()
  .regex(/^[\w!@$()`.+,"'-]{1,64}$/, "must be a project's id or slug at Modrinth")
  .describe('Id or slug at Modrinth');
const dryRun = z.boolean().default(false).describe('Only say what would be changed');

export const installMod = z
  .strictObject({
    project,
    version: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Id or number of a version of the project; default: the newest that fits the instance'),
    dryRun,
  })
  .meta({ id: 'InstallMod' });
export type InstallMod = z.infer<typeof installMod>;

export const updateMods = z
  .strictObject({ project: project.optional().describe('Id or slug; default: all that came from Modrinth'), dryRun })
  .meta({ id: 'UpdateMods' });
export type UpdateMods = z.infer<typeof updateMods>;

const installedMod = z
  .object({
    file: z.string().describe('In the folder'),
    enabled: z.boolean().describe('False: ".disabled" behind its name keeps the server from loading it'),
    sizeBytes: z.int(),
    name: z.string().describe('Of the project, else as the file calls itself, else its own name'),
    version: z.string().optional(),
    projectId: z.string().optional().describe('At Modrinth; absent: it is not known to come from there'),
    versionId: z.string().optional(),
    slug: z.string().optional(),
    fits: z.boolean().optional().describe("False: not made for the instance's software and version; absent: not known"),
    waiting: z
      .enum(['install', 'remove'])
      .optional()
      .describe('What will be done with it when the server starts the next time'),
  })
  .meta({ id: 'InstalledMod' });
export type InstalledMod = z.infer<typeof installedMod>;

export const modList = z
  .object({
    folder: z.enum(['mods', 'plugins']).describe("Below the instance's folder"),
    loaders: z.array(z.string()).describe('Whose mods or plugins run here'),
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
  file: z.string().describe('That comes, or that goes'),
  projectId: z.string().optional(),
  version: z.string().optional().describe('That comes'),
  from: z.string().optional().describe('Version that goes'),
  neededBy: z.array(z.string()).optional().describe('It was not asked for, but these need it'),
});
export type ModChange = z.infer<typeof modChange>;

export const modChanges = z
  .object({
    state: z
      .enum(['done', 'waiting', 'planned'])
      .describe('waiting: the server runs; it is done when it starts the next time. planned: a dry run'),
    changes: z.array(modChange),
    notes: z.array(z.string()).describe('What was not done, and why'),
  })
  .meta({ id: 'ModChanges' });
export type ModChanges = z.infer<typeof modChanges>;
