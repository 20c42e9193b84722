import * as z from 'zod';
import { fileEntry } from './files.ts';

/** The most files and folders that one request restores. */
const MOST_RESTORED_PATHS = 100;
const MOST_PATH_LENGTH = 8_192;

const CHANGES = ['added', 'removed', 'changed'] as const;

/** A path in a backup; its service says what is wrong with it. */
export const backupPath = z
  .string()
  .max(MOST_PATH_LENGTH, 'is too long')
  .describe("Path in the backup, relative to the server's folder, with `/`");

export const restoreFiles = z
  .strictObject({
    paths: z
      .array(backupPath)
      .min(1, 'must name at least one file or folder')
      .max(MOST_RESTORED_PATHS, `must have at most ${MOST_RESTORED_PATHS} entries`),
  })
  .meta({ id: 'RestoreFiles' });
export type RestoreFiles = z.infer<typeof restoreFiles>;

const side = fileEntry.omit({ name: true });

export const fileDifferences = z
  .object({
    differences: z.array(
      z
        .object({
          path: z.string(),
          change: z
            .enum(CHANGES)
            .describe(
              '`added`: only the server has it today; `removed`: only the backup has it; `changed`: they differ',
            ),
          backup: side.exactOptional().describe('What the backup has'),
          today: side.exactOptional().describe('What the server has today'),
        })
        .meta({ id: 'FileDifference' }),
    ),
    next: z
      .string()
      .exactOptional()
      .describe('The value of `cursor` for the next page; absent on the last one. A page may be empty'),
  })
  .meta({ id: 'FileDifferences' });
export type FileDifferences = z.infer<typeof fileDifferences>;
export type FileDifference = FileDifferences['differences'][number];
