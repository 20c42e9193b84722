import * as z from 'zod';
import { JAVA_VERSIONS } from '../domain/java/java-version.ts';
import { crashPolicy, type InstanceConfig, launch, saveCommands } from './instance.ts';

/** The fields that PATCH changes, without those that may hold secrets or decide what runs. */
export const portableConfiguration = z.object({
  name: z.string(),
  version: z.string(),
  port: z.int(),
  ports: z.record(z.string(), z.int()).optional().describe('Further ports of the kind, by name'),
  javaVersion: z.enum(JAVA_VERSIONS).optional().describe('Absent: the one that the version needs'),
  memoryMb: z.int(),
  maxPlayers: z.int().optional(),
  acceptEula: z.boolean(),
  autoStart: z.boolean(),
  autoResume: z.boolean().optional(),
  crashPolicy,
  stopTimeoutSeconds: z.int(),
  sleepWhenEmptyMinutes: z.int().optional(),
  hangSeconds: z.int().optional().describe('Default 180; 0: never'),
  transport: z.enum(['tcp', 'udp']).optional(),
  readyPattern: z.string().optional(),
  readyAfterSeconds: z.int().optional(),
  stopCommand: z.string().optional().describe('Only for callers with `servers:write`'),
  saveCommands: saveCommands.optional().describe('Only for callers with `servers:write`'),
});

/** Also has the command and the environment for those who may set them. The RCON password is never shown. */
export const instanceConfiguration = portableConfiguration
  .extend({
    launch: launch.optional().describe('Only for callers who may set it'),
    env: z.record(z.string(), z.string()).optional().describe('Only for callers who may set it'),
    runAs: z
      .string()
      .nullable()
      .optional()
      .describe(
        "User that the server runs as; null: Gamekeeper's own. Present if Gamekeeper can run servers as other users and the caller may set it",
      ),
  })
  .meta({ id: 'InstanceConfiguration' });
export type InstanceConfiguration = z.infer<typeof instanceConfiguration>;

export function toConfiguration(config: InstanceConfig): z.infer<typeof portableConfiguration> {
  return portableConfiguration.parse({ ...config, acceptEula: config.eulaAccepted });
}
