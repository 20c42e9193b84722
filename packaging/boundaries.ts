import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

/** The folders with code of our own. */
const ROOMS = ['daemon', 'workers', 'gateway', 'shared', 'packaging', 'test'];

/**
 * Checks every import against the rules in `.dependency-cruiser.cjs` and prints what breaks them.
 *
 * @param root the checkout, which must be the current folder
 * @returns the number of broken rules; 1 when no file was looked at, which means that the check itself is broken
 */
export async function checkBoundaries(root: string): Promise<number> {
  const options = await extractOptions(join(root, '.dependency-cruiser.cjs'));
  const { output } = await cruise(
    ROOMS.filter((room) => existsSync(join(root, room))),
    options,
  );
  // Without an output type the result is an object.
  const result = output as ICruiseResult;
  if (result.summary.totalCruised === 0) {
    process.stdout.write('No file was looked at: does dependency-cruiser support the installed TypeScript?\n');
    return 1;
  }
  for (const { rule, from, to, cycle } of result.summary.violations) {
    const way = cycle ? [from, ...cycle.map((step) => step.name)] : [from, to];
    // A rule about how many may import a file names only that file.
    const importers = from === to ? (result.modules.find((module) => module.source === to)?.dependents ?? []) : [];
    const what = importers.length > 0 ? `${to} <- ${importers.join(', ')}` : way.join(' -> ');
    process.stdout.write(`${rule.name}: ${what}\n    ${commentOf(rule.name, options.ruleSet)}\n`);
  }
  process.stdout.write(`${result.summary.totalCruised} files looked at.\n`);
  return result.summary.violations.length;
}

function commentOf(name: string, rules: ICruiseOptions['ruleSet']): string {
  return rules?.forbidden?.find((rule) => rule.name === name)?.comment ?? '';
}
