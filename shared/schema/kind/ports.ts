import * as z from 'zod';
import { portNumber, transport } from './parts.ts';

export const portLabel = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be 1 to 32 lower-case letters, digits and dashes, and start with a letter');

const port = z
  .strictObject({
    name: portLabel,
    transport,
    first: portNumber.optional(),
    offset: z.int().min(-1_000).max(1_000).optional(),
  })
  .refine(({ first, offset }) => (first === undefined) !== (offset === undefined), {
    path: ['first'],
    message: 'must be given, or "offset" in its place',
  });

export const ports = z
  .array(port)
  .max(16)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'must have different names');
