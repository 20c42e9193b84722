import * as z from 'zod';

const crashReport = z
  .object({
    at: z.iso.datetime(),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    reason: z.string().describe('What happened, and what to do about it'),
    restarts: z.int().describe('Restarts after earlier crashes within the window of the crash policy'),
    lines: z.array(z.string()).describe('The last lines of the console, at most 50, redacted'),
  })
  .meta({ id: 'CrashReport' });

/** Newest first. */
export const crashReports = z.object({ crashes: z.array(crashReport) }).meta({ id: 'CrashReports' });
