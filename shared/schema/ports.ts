import * as z from 'zod';
import { PORT_PURPOSES } from '../domain/instance/port-use.ts';

/** A port that an instance is set to use, whether it runs or not. */
export const configuredPort = z
  .object({
    instanceId: z.string(),
    port: z.int(),
    transport: z.enum(['tcp', 'udp']),
    purpose: z.enum(PORT_PURPOSES),
    label: z.string().optional().describe('Name of a `named` port'),
  })
  .meta({ id: 'ConfiguredPort' });
export type ConfiguredPort = z.infer<typeof configuredPort>;

/** Of a change of ports. It has been made all the same. */
export const portWarnings = z
  .array(z.string())
  .optional()
  .describe('Ports that another instance is set to use as well: the two cannot run at the same time');
