import * as z from 'zod';
import { instanceConfiguration } from './instance-configuration.ts';

/** What stands in an export beside the server's files. */
export const EXPORT_MANIFEST = 'gamekeeper-export.json';

/** What an export says of its server, for an import elsewhere; what may hold secrets, or decides what runs, is not in it. */
export const exportManifest = z.object({
  format: z.literal('gamekeeper-export'),
  formatVersion: z.literal(1),
  /** Version of Gamekeeper. */
  madeBy: z.string(),
  exportedAt: z.iso.datetime(),
  software: z.string(),
  /** As PATCH takes it. */
  settings: instanceConfiguration,
  /** False: the server ran, and nothing confirmed that its world was on disk and still. */
  quiesced: z.boolean(),
  fileCount: z.int(),
  /** What stands in the folder and not here: links, and what a ZIP cannot name. */
  leftOut: z.array(z.string()),
  /** Files that changed while they were read. */
  changedFiles: z.array(z.string()),
});
export type ExportManifest = z.infer<typeof exportManifest>;
