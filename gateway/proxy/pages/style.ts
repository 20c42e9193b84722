/** The look of the panel (gateway/panel/src/theme.ts), for pages without its script. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f7f8f6, #141613); --card: light-dark(#ffffff, #1b1d19); --field: light-dark(#ffffff, #242722);
  --text: light-dark(#20221e, #d5d8d1); --dim: light-dark(#5d6258, #a3a89e);
  --line: light-dark(#dfe1dc, #30332d); --hover: light-dark(#eeefec, #242722);
  --accent: light-dark(#3d6a27, #81bb60); --on-accent: light-dark(#ffffff, #142008); --accent-hover: light-dark(#2d521b, #9ecb85);
  --danger: light-dark(#a61e1e, #ffa8a8); --danger-soft: light-dark(#fff5f5, #2a1c1a);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; padding: 0 1rem 2rem; background: var(--page); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
header, main { margin: 0 auto; } .narrow header, .narrow main { max-width: 26rem; } .wide header, .wide main { max-width: 56rem; }
header { padding: 1rem 0; } .narrow header { padding-top: 8vh; text-align: center; }
.brand { display: inline-flex; gap: .5rem; align-items: center; min-height: 24px; color: var(--text); font-size: 1rem; font-weight: 600; text-decoration: none; }
.brand svg { color: var(--accent); } .brand .tick { stroke: var(--card); }
main { padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
h1 { margin: 0 0 .75rem; font-size: 20px; font-weight: 600; line-height: 1.3; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .25rem; font-size: 16px; font-weight: 600; }
a { color: var(--accent); } p { margin: .5rem 0 1rem; overflow-wrap: anywhere; } .dim { color: var(--dim); font-size: 13px; }
ul { padding-left: 1.25rem; }
label { display: block; margin: .75rem 0; font-weight: 500; } label + .dim { margin-top: -.5rem; }
label.choice { display: flex; gap: .6rem; align-items: center; min-height: 2rem; margin: 0; font-weight: 400; overflow-wrap: anywhere; }
input, select, textarea { accent-color: var(--accent); }
input:not([type=checkbox], [type=radio]), select, textarea { display: block; width: 100%; min-height: 36px; margin-top: .25rem; padding: .35rem .65rem; font: inherit; color: inherit;
  background: var(--field); border: 1px solid var(--line); border-radius: 6px; }
input.code { font-family: ui-monospace, monospace; font-size: 1.4rem; letter-spacing: .15em; text-transform: uppercase; text-align: center; }
button, .button { display: inline-block; min-height: 36px; padding: .4rem 1rem; font: inherit; font-weight: 600; line-height: 1.5; text-align: center; text-decoration: none;
  border: 1px solid transparent; border-radius: 6px; cursor: pointer; white-space: nowrap; background: var(--accent); color: var(--on-accent); transition: background-color 120ms; }
button:hover { background: var(--accent-hover); } button:disabled { opacity: .6; cursor: default; }
button.plain, .button.plain { background: transparent; color: var(--text); border-color: var(--line); }
button.danger, .button.danger { background: transparent; color: var(--danger); border-color: var(--line); }
button.plain:hover, .button.plain:hover { background: var(--hover); } button.danger:hover, .button.danger:hover { background: var(--danger-soft); }
button.block, .button.block { display: block; width: 100%; white-space: normal; overflow-wrap: anywhere; }
.buttons { display: flex; gap: .5rem; flex-wrap: wrap; align-items: center; margin-top: 1.25rem; } .bar .buttons { margin: 0; }
.stack > * + * { margin-top: .5rem; } .add { margin-top: .75rem; }
.or { display: flex; gap: .75rem; align-items: center; margin: 1rem 0; color: var(--dim); font-size: 13px; }
.or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
fieldset { margin: 1rem 0; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 6px; } legend { padding: 0 .25rem; font-weight: 600; }
.problem { padding: .6rem .8rem; border: 1px solid var(--danger); border-radius: 6px; background: var(--danger-soft); color: var(--danger); }
.note { padding: .6rem .8rem; border: 1px solid var(--line); border-radius: 6px; background: var(--page); }
.rows { list-style: none; margin: .5rem 0; padding: 0; border-bottom: 1px solid var(--line); }
.rows > li { display: flex; gap: .5rem 1rem; justify-content: space-between; align-items: center; padding: .6rem 0; border-top: 1px solid var(--line); }
.rows > li > div:first-child { flex: 1 1 10rem; min-width: 0; } .rows p { margin: 0; } .rows .buttons { flex: none; margin: 0; }
.bar { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .5rem 1rem; } .bar p { margin: 0; }
form.search { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; } form.search label { flex: 1 1 12rem; margin: .5rem 0 0; }
code { font-family: ui-monospace, "JetBrains Mono", monospace; font-size: 13px; overflow-wrap: anywhere; }
.codes { columns: 2; list-style: none; padding: .75rem 1rem; margin: 1rem 0; border: 1px solid var(--line); border-radius: 6px; } .codes li { break-inside: avoid; }
.qr { display: block; width: 200px; height: 200px; margin: 1rem auto; padding: 16px; background: #ffffff; border: 1px solid var(--line); border-radius: 6px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 30rem) { main { padding: 1.25rem 1rem; } .narrow header { padding-top: 1rem; } .rows > li { flex-wrap: wrap; } .codes { columns: 1; } }
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;
