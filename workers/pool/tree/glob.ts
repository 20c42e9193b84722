/**
 * A glob as a regular expression on relative paths with `/`: `?` is one character, `*` any within a segment, `**` any segments, none
 * included. Names that start with a dot are nothing special, since whoever leaves out a folder means all of it.
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
