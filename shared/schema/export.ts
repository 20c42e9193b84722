import * as z from 'zod';
import { portableConfiguration } from './instance-configuration.ts';

/** File in an export beside the server's files. */
export const EXPORT_MANIFEST = 'gamekeeper-export.json';

/** Describes an exported server to an import, without anything that may hold secrets or decides what runs. */
export const exportManifest = z.object({
  format: z.literal('gamekeeper-export'),
  formatVersion: z.literal(1),
  /** Version of Gamekeeper. */
  madeBy: z.string(),
  exportedAt: z.iso.datetime(),
  software: z.string(),
  settings: portableConfiguration,
  /** False if the server ran and nothing confirmed that its world was on disk and unchanging. */
  quiesced: z.boolean(),
  fileCount: z.int(),
  /** Files of the folder that are not in the export: links, sockets, pipes and devices, and names that a ZIP cannot hold. */
  leftOut: z.array(z.string()),
  /** Files that changed while they were read. */
  changedFiles: z.array(z.string()),
});
export type ExportManifest = z.infer<typeof exportManifest>;
