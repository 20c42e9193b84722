import * as z from 'zod';
import { UPLOAD_ID } from '../domain/files/upload-id.ts';
import { JAVA_VERSIONS } from '../domain/java/java-version.ts';
import { crashPolicy, createInstance, instance, updateInstance } from './instance.ts';

/** `certain`: from the file itself. `likely`: from a name or a log. `guess`: to be checked. */
const SURENESS = ['certain', 'likely', 'guess'] as const;
export type Sureness = (typeof SURENESS)[number];

/** A value that was recognised in a folder. */
export interface Found<Value> {
  value: Value;
  /** The file it comes from, relative to the folder. */
  from: string;
  sure: Sureness;
}

function found<Value extends z.ZodType>(value: Value) {
  return z.object({ value, from: z.string().describe('File, relative to the folder'), sure: z.enum(SURENESS) });
}

const foundText = found(z.string()).meta({ id: 'FoundText' });
const foundNumber = found(z.int()).meta({ id: 'FoundNumber' });
const foundTexts = found(z.array(z.string())).meta({ id: 'FoundTexts' });

const findings = z.object({
  software: foundText.optional(),
  version: foundText.optional(),
  build: foundText.optional().describe('Version of the mod loader'),
  program: foundText.optional().describe('The program to start: a JAR, an arguments file or an executable'),
  launch: foundTexts.optional().describe('For software `custom`: the command to run'),
  port: foundNumber.optional(),
  rconPort: foundNumber.optional().describe('Present if RCON is on; its password is kept'),
  memoryMb: foundNumber.optional(),
  javaVersion: found(z.enum(JAVA_VERSIONS)).optional(),
  acceptEula: found(z.boolean()).optional(),
  worlds: foundTexts.optional(),
  notes: z.array(z.string()).describe('What is not imported, or should be checked'),
});
export type Findings = z.infer<typeof findings>;

export const recognition = z
  .object({
    directory: z.string().describe('The folder or the archive'),
    ...findings.shape,
    missing: z
      .array(z.object({ field: z.enum(['software', 'version']), reason: z.string() }))
      .describe('What could not be recognised and must be in the request'),
  })
  .meta({ id: 'Recognition' });
export type Recognition = z.infer<typeof recognition>;

const { shape } = createInstance;

/** What a change can reset with null, and has no default in the schema. */
const RESETTABLE = {
  javaVersion: true,
  sleepWhenEmptyMinutes: true,
  maxPlayers: true,
  hangSeconds: true,
  readyPattern: true,
  readyAfterSeconds: true,
  stopCommand: true,
  saveCommands: true,
  stopTimeoutSeconds: true,
  env: true,
  transport: true,
  autoResume: true,
  runAs: true,
} as const;

/** Where the server is, and settings that override what is recognised. */
export const importInstance = updateInstance
  .extend({
    // Nothing is there yet that null could reset.
    ...createInstance.pick(RESETTABLE).shape,
    memoryMb: shape.memoryMb.removeDefault().optional(),
    autoStart: shape.autoStart.removeDefault().optional(),
    crashPolicy: crashPolicy.optional(),
    id: shape.id,
    software: shape.software.optional().describe('Default: as recognised'),
    directory: shape.directory.describe('A folder on this machine, used in place'),
    archive: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe(
        'A ZIP on this machine, such as an export, or a modpack for Modrinth (.mrpack); it is unpacked into a new folder',
      ),
    upload: z
      .string()
      .regex(UPLOAD_ID, 'must be the id of an upload')
      .optional()
      .describe('Such an archive that was uploaded to `/instances/import/uploads`. It is removed when it is imported'),
    dryRun: z.boolean().default(false).describe('Only return what is recognised'),
  })
  .refine(({ directory, archive, upload }) => [directory, archive, upload].filter(isGiven).length === 1, {
    message: 'must be given, or an archive or an upload instead',
    path: ['directory'],
  })
  .meta({ id: 'ImportInstance' });
export type ImportInstance = z.infer<typeof importInstance>;

function isGiven(source: string | undefined): boolean {
  return source !== undefined;
}

export const importedInstance = instance.extend({ recognised: recognition }).meta({ id: 'ImportedInstance' });
export type ImportedInstance = z.infer<typeof importedInstance>;
