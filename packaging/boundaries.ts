import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

/** The folders with code. */
const ROOMS = ['daemon', 'workers', 'gateway', 'shared', 'packaging', 'test'];

/**
 * Checks all imports against the rules in `.dependency-cruiser.cjs` and prints violations. `root` is the checkout, which must be the current
 * folder. Returns the number of violations, or 1 if no file was checked.
 */
export async function checkBoundaries(root: string): Promise<number> {
  const options = await extractOptions(join(root, '.dependency-cruiser.cjs'));
  const { output } = await cruise(
    ROOMS.filter((room) => existsSync(join(root, room))),
    options,
  );
  // It is an object if no output type is set.
  const result = output as ICruiseResult;
  if (result.summary.totalCruised === 0) {
    process.stdout.write('No file was checked. Does dependency-cruiser support the installed TypeScript?\n');
    return 1;
  }
  for (const { rule, from, to, cycle } of result.summary.violations) {
    const chain = cycle ? [from, ...cycle.map((step) => step.name)] : [from, to];
    // A rule about the number of importers names only the imported file.
    const importers = from === to ? (result.modules.find((module) => module.source === to)?.dependents ?? []) : [];
    const what = importers.length > 0 ? `${to} <- ${importers.join(', ')}` : chain.join(' -> ');
    process.stdout.write(`${rule.name}: ${what}\n    ${commentOf(rule.name, options.ruleSet)}\n`);
  }
  process.stdout.write(`Checked ${result.summary.totalCruised} files.\n`);
  return result.summary.violations.length;
}

function commentOf(name: string, rules: ICruiseOptions['ruleSet']): string {
  return rules?.forbidden?.find((rule) => rule.name === name)?.comment ?? '';
}
