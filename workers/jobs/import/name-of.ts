const MAX_NAME = 64;

/** What a server is called of which only the name of its folder or file is known. */
export function nameOf(file: string): string {
  return file.trim().slice(0, MAX_NAME).trim() || 'Server';
}
