import * as z from 'zod';

const FILE_KINDS = ['file', 'folder', 'link', 'other'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

export const FILE_SORTS = ['name', 'size', 'modified'] as const;
export type FileSort = (typeof FILE_SORTS)[number];
export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** The most entries of one page. */
export const MOST_FILE_ENTRIES = 1_000;

/** Longer than any path that a disk allows. */
const MOST_PATH_CHARACTERS = 8_192;
const filePath = z.string().max(MOST_PATH_CHARACTERS).describe("Path inside the server's folder, with `/`");

export const fileEntry = z
  .object({
    name: z.string().describe('Bytes that are not UTF-8 are shown as `%E9`; such files cannot be named in a request'),
    kind: z.enum(FILE_KINDS).describe('Links are shown, but never followed'),
    sizeBytes: z.int().min(0).describe('0 for everything but files'),
    modifiedAt: z.iso.datetime(),
  })
  .meta({ id: 'FileEntry' });
export type FileEntry = z.infer<typeof fileEntry>;

export const fileList = z
  .object({
    entries: z.array(fileEntry),
    next: z.string().optional().describe('The value of `cursor` for the next page; absent on the last one'),
  })
  .meta({ id: 'FileList' });
export type FileList = z.infer<typeof fileList>;

export const matchedLine = z
  .object({ number: z.int().min(1), text: z.string().describe('At most 300 characters around the match') })
  .meta({ id: 'MatchedLine' });
export type MatchedLine = z.infer<typeof matchedLine>;

export const fileMatch = fileEntry
  .omit({ name: true })
  .extend({
    path: filePath,
    lines: z.array(matchedLine).optional().describe('The first 20 that contain what was searched for'),
  })
  .meta({ id: 'FileMatch' });
export type FileMatch = z.infer<typeof fileMatch>;

export const fileSearch = z
  .object({
    matches: z.array(fileMatch),
    stoppedBy: z
      .enum(['limit', 'size', 'time'])
      .optional()
      .describe(
        'Why the search ended before it had looked at everything: enough matches, too much to read, or 20 seconds',
      ),
  })
  .meta({ id: 'FileSearch' });
export type FileSearch = z.infer<typeof fileSearch>;

export const fileUsage = z
  .object({
    sizeBytes: z.int().min(0).describe('Of all files in the folder and below'),
    files: z.int().min(0).describe('How many there are'),
    entries: z
      .array(
        z.object({
          name: z.string(),
          kind: z.enum(FILE_KINDS),
          sizeBytes: z.int().min(0).describe('Of a folder: of all files in it'),
          files: z.int().min(0),
        }),
      )
      .describe('What is in the folder, largest first, at most 1,000'),
    keptBytes: z
      .int()
      .min(0)
      .optional()
      .describe(
        "For the server's folder itself: the trash, earlier versions and unfinished uploads, which are not in `sizeBytes`",
      ),
    stoppedBy: z.enum(['size', 'time']).optional().describe('Why not everything was counted'),
  })
  .meta({ id: 'FileUsage' });
export type FileUsage = z.infer<typeof fileUsage>;

export const writtenFile = z
  .object({ path: filePath, sizeBytes: z.int().min(0), modifiedAt: z.iso.datetime(), etag: z.string() })
  .meta({ id: 'WrittenFile' });
export type WrittenFile = z.infer<typeof writtenFile>;

export const fileVersion = z
  .object({
    version: z.string(),
    replacedAt: z.iso.datetime().describe('When it was replaced by the next one'),
    modifiedAt: z.iso.datetime().describe('When it was written'),
    sizeBytes: z.int().min(0),
  })
  .meta({ id: 'FileVersion' });
export type FileVersion = z.infer<typeof fileVersion>;

export const fileHistory = z.object({ versions: z.array(fileVersion) }).meta({ id: 'FileHistory' });
export type FileHistory = z.infer<typeof fileHistory>;

export const versionRestore = z
  .strictObject({ path: filePath, version: z.string().max(100).describe('As listed') })
  .meta({ id: 'VersionRestore' });
export type VersionRestore = z.infer<typeof versionRestore>;

export const newFolder = z.strictObject({ path: filePath }).meta({ id: 'NewFolder' });
export type NewFolder = z.infer<typeof newFolder>;

export const fileMove = z
  .strictObject({ from: filePath, to: filePath.describe('The new path. Nothing may be there') })
  .meta({ id: 'FileMove' });
export type FileMove = z.infer<typeof fileMove>;

export const createArchive = z
  .strictObject({
    path: filePath.default('').describe('The folder that everything is in. Default: the folder of the server'),
    names: z
      .array(
        z
          .string()
          .min(1)
          .max(255)
          .regex(/^[^/]+$/),
      )
      .min(1)
      .max(MOST_FILE_ENTRIES)
      .optional()
      .describe('Files and folders in it. Default: everything'),
    to: filePath.min(1).describe('The ZIP to create. Nothing may be there'),
  })
  .meta({ id: 'CreateArchive' });
export type CreateArchive = z.input<typeof createArchive>;

export const extractArchive = z
  .strictObject({
    path: filePath.describe('A ZIP file'),
    to: filePath.optional().describe('The folder to unpack into, which exists. Default: the one that the ZIP is in'),
  })
  .meta({ id: 'ExtractArchive' });
export type ExtractArchive = z.infer<typeof extractArchive>;

export const trashEntry = z
  .object({
    trashId: z.string(),
    path: filePath.describe('Where it was'),
    kind: z.enum(FILE_KINDS),
    sizeBytes: z.int().min(0),
    deletedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe('When it is deleted for good'),
    deletedBy: z.string().optional().describe('Shown to those who may write'),
  })
  .meta({ id: 'TrashEntry' });
export type TrashEntry = z.infer<typeof trashEntry>;

export const deletedFile = z
  .object({ trashId: z.string().optional().describe('Absent if it was deleted permanently') })
  .meta({ id: 'DeletedFile' });
export type DeletedFile = z.infer<typeof deletedFile>;
