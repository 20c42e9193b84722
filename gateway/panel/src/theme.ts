import { alpha, type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const moss: MantineColorsTuple = [
  '#f1f8ec',
  '#e1eed8',
  '#c1ddb0',
  '#9ecb85',
  '#81bb60',
  '#6eb148',
  '#5f9e3b',
  '#4c8230',
  '#3d6a27',
  '#2d521b',
];

/** Mantine's red with darker shades, for contrast with white text (WCAG 2.2, 1.4.3). */
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#fa5252',
  '#d42f2f',
  '#c02727',
  '#a61e1e',
];

/** Mantine's yellow with a darker last shade, for contrast with the second one. */
const yellow: MantineColorsTuple = [
  '#fff9db',
  '#fff3bf',
  '#ffec99',
  '#ffe066',
  '#ffd43b',
  '#fcc419',
  '#fab005',
  '#f59f00',
  '#f08c00',
  '#8f4a00',
];

const gray: MantineColorsTuple = [
  '#f7f8f6',
  '#eeefec',
  '#dfe1dc',
  '#ced1ca',
  '#b0b4ab',
  '#8b9085',
  '#5d6258',
  '#4b4f47',
  '#343731',
  '#20221e',
];

const dark: MantineColorsTuple = [
  '#d5d8d1',
  '#b0b4ab',
  '#969b90',
  '#62675d',
  '#3c4039',
  '#30332d',
  '#242722',
  '#1b1d19',
  '#141613',
  '#0e0f0d',
];

const MONOSPACE = 'ui-monospace, "JetBrains Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** Neutral greys, hairlines instead of shadows, one radius; animations under 150 ms, none if the user prefers reduced motion. */
export const theme = createTheme({
  primaryColor: 'moss',
  primaryShade: 7,
  autoContrast: true,
  colors: { moss, red, yellow, gray, dark },
  defaultRadius: 'sm',
  radius: { sm: '6px' },
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  fontFamilyMonospace: MONOSPACE,
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px' }, h2: { fontSize: '16px' }, h3: { fontSize: '14px' } },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Paper: { defaultProps: { withBorder: true, shadow: 'none' } },
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: { centered: true, transitionProps: { duration: 120 } },
      styles: { title: { fontSize: '16px', fontWeight: 600, lineHeight: 1.35 } },
    },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { duration: 100 } } },
    // Focusable, so that the arrow keys can scroll it.
    TableScrollContainer: { defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } } },
    Menu: { defaultProps: { transitionProps: { duration: 100 }, shadow: 'none', withinPortal: true } },
  },
});

const TINTED = ['moss', 'red', 'yellow', 'blue', 'gray'] as const;

/** In the dark scheme: transparent tints with coloured text instead of Mantine's solid dark colours. */
export const tints: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {},
  dark: Object.fromEntries(
    TINTED.flatMap((name) => [
      [`--mantine-color-${name}-light`, alpha(colors[name]?.[6] ?? '', 0.14)],
      [`--mantine-color-${name}-light-hover`, alpha(colors[name]?.[6] ?? '', 0.22)],
      [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-3)`],
    ]),
  ),
});
