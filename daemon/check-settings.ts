import { SettingsError } from '../shared/node/settings-file.ts';
import type { Settings } from '../shared/schema/settings.ts';
import { patternProblem } from './safe-pattern.ts';

/** What a schema cannot see. Throws SettingsError naming the key, the value and what is wrong. */
export function checkSettings({ redaction }: Settings): void {
  for (const [index, pattern] of redaction.patterns.entries()) {
    const problem = patternProblem(pattern);
    if (problem) throw new SettingsError(`redaction.patterns.${index}: ${JSON.stringify(pattern)} ${problem}.`);
  }
}
