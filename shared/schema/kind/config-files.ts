import * as z from 'zod';
import { CONFIG_FORMATS } from '../../domain/software/definition.ts';
import { argument, fileInFolder } from './parts.ts';

const key = z.string().min(1).max(300);
const value = z.union([argument, z.number(), z.boolean(), z.array(argument).max(200)]);

export const configFiles = z
  .array(
    z.strictObject({
      file: fileInFolder.refine((file) => !/(?:^|\/)\.?(?:\/|$)/.test(file), 'must be the plain path of a file'),
      format: z.enum(CONFIG_FORMATS),
      set: z.record(key, value).refine((set) => Object.keys(set).length <= 500, 'must have at most 500 keys'),
    }),
  )
  .max(50);
