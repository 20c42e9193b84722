import * as z from 'zod';

/** Properties as `server.properties` has them, by key: every value is a text. */
export const propertiesResource = z.object({ properties: z.record(z.string(), z.string()) }).meta({ id: 'Properties' });

const property = z
  .object({
    key: z.string(),
    type: z.enum(['boolean', 'integer', 'decimal', 'choice', 'text']),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    choices: z.array(z.string()).optional(),
    pattern: z.string().optional().describe('Regular expression for the whole of a text'),
    default: z.string().nullable().describe('What the server takes where the file does not say'),
    description: z.string(),
    since: z.string().optional().describe('First version of Minecraft that has it'),
    until: z.string().optional().describe('First version of Minecraft that has it no more'),
    secret: z.boolean().describe('Reads as "********"'),
    takesEffect: z.enum(['restart', 'new-world']),
    setting: z
      .enum(['port', 'maxPlayers', 'rcon.port'])
      .optional()
      .describe('Setting of the instance that it always equals'),
  })
  .meta({ id: 'Property' });
export type Property = z.infer<typeof property>;

/** Answer of GET /instances/{id}/properties/schema: what is known of the keys that the instance's version has. */
export const propertiesSchema = z
  .object({
    file: z.string().describe('File that holds the settings, in the folder of the instance'),
    properties: z.array(property),
  })
  .meta({ id: 'PropertiesSchema' });
export type PropertiesSchema = z.infer<typeof propertiesSchema>;
