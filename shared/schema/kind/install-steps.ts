import * as z from 'zod';
import { filePathProblem } from '../../domain/files/file-path.ts';
import { placeholdersIn } from '../../domain/software/placeholders.ts';
import { argument } from './parts.ts';

const MOST_STEPS = 50;
const LONGEST_TEXT = 64 * 1024;
const LONGEST_RUN_SECONDS = 6 * 3_600;

/** A file or folder of the server. */
const place = z
  .string()
  .refine((path) => path !== '' && !/[\\:]/.test(path) && filePathProblem(path, 'linux') === undefined, {
    message: 'must be a plain path in the folder of the server, without ".." and with "/"',
  });

/** A value must not choose the machine that is asked. */
const address = z
  .string()
  .max(2_000)
  .refine(isAddress, 'must be an address that begins with https:// or http:// and has no placeholders in its host');

function isAddress(url: string): boolean {
  const host = /^https?:\/\/([^/?#\\@]+)(?:[/?#]|$)/.exec(url)?.[1];
  return host !== undefined && placeholdersIn(host).length === 0 && URL.canParse(url);
}

const keep = z.array(z.string().min(1).max(300)).max(100).optional();

const step = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('download'),
    url: address,
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')
      .optional(),
    target: place,
  }),
  z.strictObject({
    type: z.literal('steam'),
    appId: z.int().min(1).max(0xffff_ffff),
    beta: z.string().max(100).optional(),
    to: place.optional(),
  }),
  z.strictObject({
    type: z.literal('unpack'),
    file: place,
    from: place.refine((path) => !path.includes('**'), 'must name each folder, without "**"').optional(),
    to: place.optional(),
    keep,
  }),
  z.strictObject({ type: z.literal('move'), from: place, to: place, keep }),
  z.strictObject({ type: z.literal('mkdir'), folder: place }),
  z.strictObject({ type: z.literal('write'), file: place, text: z.string().max(LONGEST_TEXT) }),
  z.strictObject({ type: z.literal('chmod'), files: z.array(place).min(1).max(100) }),
  z.strictObject({
    type: z.literal('run'),
    program: z
      .string()
      .max(300)
      .refine(isProgram, 'must be the name of a program, or with a slash the path of one in the folder of the server'),
    args: z.array(argument).max(200),
    creates: place.optional(),
    timeoutSeconds: z.int().min(1).max(LONGEST_RUN_SECONDS).optional(),
  }),
]);

function isProgram(program: string): boolean {
  const path = program.replace(/^\.\//, '');
  return path !== '' && !/[\\:]/.test(path) && filePathProblem(path, 'linux') === undefined;
}

export const installSteps = z.array(step).min(1).max(MOST_STEPS);
