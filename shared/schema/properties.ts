import * as z from 'zod';
import { portWarnings } from './ports.ts';

/** Properties by key. Values are texts, as in `server.properties`. */
export const propertiesResource = z.object({ properties: z.record(z.string(), z.string()) }).meta({ id: 'Properties' });

/** The answer to a change. */
export const changedProperties = propertiesResource
  .extend({
    effects: z
      .record(z.string(), z.enum(['now', 'restart', 'new-world']))
      .optional()
      .describe('Whether each changed property is in effect now, from the next start, or only in new worlds'),
    warnings: portWarnings,
  })
  .meta({ id: 'ChangedProperties' });

const property = z
  .object({
    key: z.string(),
    type: z.enum(['boolean', 'integer', 'decimal', 'choice', 'text']),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    choices: z.array(z.string()).optional(),
    pattern: z.string().optional().describe('Regular expression for the whole value'),
    default: z.string().nullable().describe('Value if the file does not set it'),
    description: z.string(),
    since: z.string().optional().describe('First version of Minecraft that has it'),
    until: z.string().optional().describe('First version of Minecraft without it'),
    secret: z.boolean().describe('Shown as `********`'),
    takesEffect: z.enum(['restart', 'new-world']),
    live: z
      .enum(['command', 'management'])
      .optional()
      .describe(
        'A running server takes it at once: always, or only over the management protocol, if its owner has turned that on',
      ),
    setting: z
      .enum(['port', 'maxPlayers', 'rcon.port'])
      .optional()
      .describe('Setting of the instance with the same value'),
  })
  .meta({ id: 'Property' });
export type Property = z.infer<typeof property>;

/** The known keys of the instance's version. */
export const propertiesSchema = z
  .object({
    file: z.string().describe('The settings file in the folder of the instance'),
    properties: z.array(property),
  })
  .meta({ id: 'PropertiesSchema' });
export type PropertiesSchema = z.infer<typeof propertiesSchema>;
