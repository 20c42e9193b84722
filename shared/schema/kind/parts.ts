import * as z from 'zod';

/** Parts of the files of kinds that several keys share. */

export const pattern = z.string().min(1).max(500).refine(isRegularExpression, 'must be a regular expression');

export const command = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\r\n]*$/, 'must be one line');

export const fileInFolder = z
  .string()
  .regex(
    /^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\\:\0]+$/,
    'must be a path in the folder of the server, without ".." and with "/"',
  );

export const transport = z.enum(['tcp', 'udp']);
export const portNumber = z.int().min(1).max(65_535);

/** Placeholders are filled in. */
export const argument = z.string().max(4_096);
export const environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), argument);

function isRegularExpression(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    // The engine's own message would not help.
    return false;
  }
}
