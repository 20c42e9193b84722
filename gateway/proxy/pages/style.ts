/** The look of the panel (gateway/panel/src/theme.ts), for pages without script. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f7f8f6, #141613); --card: light-dark(#ffffff, #1b1e1a);
  --text: light-dark(#20221e, #d5d8d1); --dim: light-dark(#5d6258, #a3a89e);
  --line: light-dark(#dfe1dc, #343731);
  --accent: light-dark(#3d6a27, #81bb60); --on-accent: light-dark(#ffffff, #142008);
  --danger: light-dark(#a61e1e, #ff9d9d);
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { margin: 6vh auto 2rem; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.narrow main { max-width: 28rem; } .wide main { max-width: 60rem; margin-top: 1rem; }
h1 { margin: 0 0 1rem; font-size: 1.4rem; } h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
a { color: var(--accent); } p { margin: .5rem 0 1rem; overflow-wrap: anywhere; } .dim { color: var(--dim); font-size: .9rem; }
label { display: block; margin: .75rem 0; font-weight: 600; }
label.choice { display: flex; gap: .6rem; align-items: baseline; font-weight: 400; margin: .4rem 0; }
input:not([type=checkbox]) { display: block; width: 100%; margin-top: .25rem; padding: .55rem .7rem; font: inherit; color: inherit;
  background: var(--page); border: 1px solid var(--line); border-radius: 6px; }
input.code { font-family: ui-monospace, monospace; font-size: 1.4rem; letter-spacing: .15em; text-transform: uppercase; text-align: center; }
button { padding: .55rem 1.1rem; font: inherit; font-weight: 600; border: 1px solid transparent; border-radius: 6px; cursor: pointer; white-space: nowrap;
  background: var(--accent); color: var(--on-accent); }
button.plain { background: transparent; color: var(--text); border-color: var(--line); }
button.danger { background: transparent; color: var(--danger); border-color: currentColor; }
.buttons { display: flex; gap: .75rem; flex-wrap: wrap; margin-top: 1.25rem; }
fieldset { margin: 1rem 0; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 6px; } legend { font-weight: 600; }
.problem { padding: .6rem .8rem; border: 1px solid var(--danger); border-radius: 6px; color: var(--danger); }
.rows { list-style: none; margin: 0; padding: 0; }
.rows > li { display: flex; gap: 1rem; justify-content: space-between; align-items: center; padding: .75rem 0; border-top: 1px solid var(--line); }
.rows p { margin: 0; } .bar { display: flex; justify-content: space-between; align-items: center; gap: 1rem; }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;
