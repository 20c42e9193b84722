/** Where a path of a client leads: to the list of servers, or to something in the folder of one. */
export type Place = { kind: 'top' } | { kind: 'server'; instanceId: string; path: string };

/**
 * Returns the absolute path that a client means, without `.`, `..` and empty names. `..` goes up in the text: links are never followed, so the
 * text is right.
 */
export function normalised(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

export function placeOf(path: string): Place {
  const [, instanceId = '', ...names] = normalised(path).split('/');
  return instanceId === '' ? { kind: 'top' } : { kind: 'server', instanceId, path: names.join('/') };
}
