/** One step into a structure: a member, an element, or every member and element (`*`). */
export type Step = string | number | '*';

/** Parses `a.b[0].*.c`. A backslash before a point makes it part of the name. */
export function parseKeyPath(text: string): Step[] {
  const steps: Step[] = [];
  for (const [, name, index] of text.matchAll(/((?:\\.|[^.[\\])+)|\[(\d{1,6})\]/g))
    steps.push(index === undefined ? name!.replace(/\\(.)/g, '$1') : Number(index));
  return steps;
}

/** Returns the paths without `*` to which a path leads in a value. Without `*`, that is the path itself, present or not. */
export function expandPath(value: unknown, [step, ...rest]: readonly Step[]): Step[][] {
  if (step === undefined) return [[]];
  if (step !== '*') return expandPath(memberOf(value, step), rest).map((way) => [step, ...way]);
  if (typeof value !== 'object' || value === null) return [];
  const keys: Step[] = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  return keys.flatMap((key) => expandPath(memberOf(value, key), rest).map((way) => [key, ...way]));
}

/** Returns the value at a path, or `undefined`. */
export function valueAt(value: unknown, way: readonly Step[]): unknown {
  return way.reduce<unknown>(memberOf, value);
}

function memberOf(value: unknown, step: Step): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<Step, unknown>)[step];
}
