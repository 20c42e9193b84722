import * as z from 'zod';
import { FILE_SORTS, MOST_FILE_ENTRIES, SORT_ORDERS } from '../../../shared/schema/files.ts';
import { ofInstance, queryInteger } from '../parameters.ts';

const USUAL_ENTRIES = 200;

export const atPath = z.object({
  path: z.string().default('').describe("Path inside the server's folder, with `/`; empty: the folder itself"),
});

export const ofFile = z.object({
  path: z
    .string()
    .default('')
    .meta({ description: "Path inside the server's folder, with `/`", examples: ['server.properties'] }),
});

export const listQuery = atPath.extend({
  sort: z.enum(FILE_SORTS).default('name'),
  order: z.enum(SORT_ORDERS).default('asc').describe('Folders come first in both'),
  limit: queryInteger(1, MOST_FILE_ENTRIES).default(USUAL_ENTRIES),
  cursor: z.string().optional().describe('`next` of the page before'),
});

export const searchQuery = atPath
  .extend({
    name: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({
        description:
          'Part of the name; with `*` and `?`, all of it. With a slash, of the path inside the server. Case does not matter',
        examples: ['*.yml'],
      }),
    contains: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'Part of a line in a text file. Case does not matter', examples: ['motd'] }),
    limit: queryInteger(1, MOST_FILE_ENTRIES).default(USUAL_ENTRIES),
  })
  .refine(({ name, contains }) => name !== undefined || contains !== undefined, {
    message: 'give `name`, `contains` or both',
  });

export const deletionQuery = ofFile.extend({
  permanently: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true` deletes for good. Otherwise it is kept in the trash for 7 days'),
});

export const ofTrash = ofInstance.extend({ trashId: z.string().max(100).describe('Id in the trash') });

export const FILE_ERRORS = [
  'instance_not_found',
  'invalid_path',
  'file_not_found',
  'invalid_state',
  'worker_unavailable',
] as const;
/** Those that change something. */
export const CHANGE_ERRORS = [...FILE_ERRORS, 'already_in_progress', 'file_exists', 'insufficient_storage'] as const;
