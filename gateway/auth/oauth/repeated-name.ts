/**
 * True when an object in this JSON text names a member twice: which one counts would depend on who reads it (RFC 7519, section 4). The
 * text must be valid JSON.
 */
export function hasRepeatedName(json: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gs;
  for (const [text, isName] of json.matchAll(token)) {
    if (text === '{') open.push(new Set());
    else if (text === '[') open.push(undefined);
    else if (text === '}' || text === ']') open.pop();
    else if (isName !== undefined) {
      const names = open.at(-1);
      const name = JSON.parse(text.slice(0, -isName.length)) as string;
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}
