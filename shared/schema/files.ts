import * as z from 'zod';

const FILE_KINDS = ['file', 'folder', 'link', 'other'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** The most entries of one page. */
export const MOST_FILE_ENTRIES = 1_000;

const fileEntry = z
  .object({
    name: z.string(),
    kind: z.enum(FILE_KINDS).describe('Links are shown, but never followed'),
    sizeBytes: z.int().min(0).describe('0 for everything but files'),
    modifiedAt: z.iso.datetime(),
  })
  .meta({ id: 'FileEntry' });
export type FileEntry = z.infer<typeof fileEntry>;

export const fileList = z
  .object({
    entries: z.array(fileEntry),
    next: z.string().optional().describe('The value of `after` for the next page; absent on the last one'),
  })
  .meta({ id: 'FileList' });
export type FileList = z.infer<typeof fileList>;
