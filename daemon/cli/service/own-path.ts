import path from 'node:path';

/** Returns a shell's PATH without the folders that npm and npx added. */
export function ownPath(value: string | undefined): string | undefined {
  const folders = value?.split(path.delimiter).filter((one) => path.isAbsolute(one) && !one.includes('node_modules'));
  return folders?.join(path.delimiter) || undefined;
}
