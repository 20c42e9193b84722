import path from 'node:path';

/** A shell's PATH as a service should have it: without what npm and npx have put in front for their own programs. */
export function ownPath(value: string | undefined): string | undefined {
  const folders = value?.split(path.delimiter).filter((one) => path.isAbsolute(one) && !one.includes('node_modules'));
  return folders?.join(path.delimiter) || undefined;
}
