import { SettingsError } from '../../shared/node/files/settings-file.ts';
import { isLoopback } from '../../shared/node/loopback.ts';
import type { Settings } from '../../shared/schema/settings.ts';
import { patternProblem } from './safe-pattern.ts';

/** Checks what the schema cannot. Throws SettingsError with the key, the value and what to do. */
export function checkSettings({ redaction, remoteControl: { host, tls, insecure } }: Settings): void {
  if (!tls && !insecure && !isLoopback(host))
    throw new SettingsError(
      `remoteControl.host: ${JSON.stringify(host)} is reachable from other machines, and passwords would be sent unencrypted.\n` +
        'Set remoteControl.tls to a certificate and its key, or remoteControl.insecure to true if a reverse proxy encrypts.',
    );
  for (const kind of ['patterns', 'exceptions'] as const)
    for (const [index, pattern] of redaction[kind].entries()) {
      const problem =
        patternProblem(pattern, { flags: REDACTION_FLAGS }) ??
        (kind === 'exceptions' ? problemAsWhole(pattern) : undefined);
      if (problem) throw new SettingsError(`redaction.${kind}.${index}: ${JSON.stringify(pattern)} ${problem}.`);
    }
}

/** The flags that supervisors use. */
const REDACTION_FLAGS = 'u';

/** Supervisors anchor exceptions at both ends, so a match can fail in more ways than in a search. */
function problemAsWhole(pattern: string): string | undefined {
  return patternProblem(`^(?:${pattern})$`, { flags: REDACTION_FLAGS });
}
