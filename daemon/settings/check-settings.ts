import { SettingsError } from '../../shared/node/files/settings-file.ts';
import { isLoopback } from '../../shared/node/loopback.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import { patternProblem } from './safe-pattern.ts';

/** What a schema cannot see. Throws SettingsError naming the key, the value and what to do. */
export function checkSettings({ redaction, remoteControl: { host, tls, insecure } }: Settings): void {
  if (!tls && !insecure && !isLoopback(host))
    throw new SettingsError(
      `remoteControl.host: ${JSON.stringify(host)} can be reached from other machines, and passwords would cross the network unencrypted.\n` +
        'Set remoteControl.tls to a certificate and its key, or remoteControl.insecure to true if something in front encrypts.',
    );
  for (const kind of ['patterns', 'exceptions'] as const)
    for (const [index, pattern] of redaction[kind].entries()) {
      const problem =
        patternProblem(pattern, { flags: REDACTION_FLAGS }) ??
        (kind === 'exceptions' ? problemAsWhole(pattern) : undefined);
      if (problem) throw new SettingsError(`redaction.${kind}.${index}: ${JSON.stringify(pattern)} ${problem}.`);
    }
}

/** What the supervisors make of these patterns. */
const REDACTION_FLAGS = 'u';

/** An exception must match the whole of a find, so that more can fail than in a search. */
function problemAsWhole(pattern: string): string | undefined {
  return patternProblem(`^(?:${pattern})$`, { flags: REDACTION_FLAGS });
}
