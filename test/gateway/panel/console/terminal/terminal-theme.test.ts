import t from 'tap';
import { TERMINAL_THEMES } from '../../../../../gateway/panel/src/console/terminal/terminal-theme.ts';

/** WCAG 2.2, 1.4.3. */
const AA = 4.5;

t.test('text in every colour that the console itself uses is readable in both schemes', (t) => {
  for (const [scheme, theme] of Object.entries(TERMINAL_THEMES))
    for (const colour of ['foreground', 'red', 'yellow', 'brightBlack', 'brightBlue'] as const) {
      const ratio = contrast(theme[colour]!, theme.background!);
      t.ok(ratio >= AA, `${scheme} ${colour}: ${ratio.toFixed(1)}`);
    }
  t.end();
});

/** The contrast ratio of two colours in the form `#rrggbb` (WCAG 2.2, "contrast ratio"). */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
