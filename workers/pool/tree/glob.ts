/**
 * Converts a glob on relative paths with `/`: `?` is one character, `*` any number within a segment, `**` any number of segments. Names
 * with a leading dot are nothing special.
 */
export function globToRegExp(glob: string): RegExp {
  const source = glob.replace(/\*\*\/|\/\*\*$|\*\*|[*?]|[\\^$.|+()[\]{}]/g, (token) => MEANING[token] ?? `\\${token}`);
  return new RegExp(`^${source}$`, 'u');
}

const MEANING: Readonly<Record<string, string>> = {
  '**/': '(?:[^/]+/)*',
  '/**': '(?:/.*)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};
