/** Dark enough for white letters (WCAG 2.2, 1.4.3). */
const TILES = ['#3c52cc', '#7a3fb0', '#a8326f', '#a34a1c', '#7c6210', '#3d6f2a', '#156f66', '#1f6391', '#545b6b'];

/** Returns what stands for a server without an icon: one or two first letters of its name, and a colour that stays the same. */
export function iconLetters({ id, name }: { id: string; name: string }): { letters: string; color: string } {
  const words = name
    .normalize('NFC')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const letters = (words.length > 0 ? words : [id])
    .slice(0, 2)
    .map(([letter]) => letter)
    .join('')
    .toLocaleUpperCase();
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return { letters, color: TILES[sum % TILES.length] ?? '' };
}
