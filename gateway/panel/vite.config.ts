import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where `packaging/build/build.ts` puts the panel, beside the processes' bundles. */
const OUTPUT = join(import.meta.dirname, '../../dist/panel');

/** The first that know `light-dark()`: older targets would get a replacement that works in one file only. */
const CSS_TARGET = ['chrome123', 'firefox120', 'safari17.5'];

/** The script that asks for the first data. */
const FIRST = 'first-requests';

/** The font of all texts but code and consoles. */
const FONT = /figtree-latin-.*\.woff2$/;

export default defineConfig({
  root: import.meta.dirname,
  base: '/ui/',
  plugins: [react(), requestsFirst(), loadsFontFirst(), compressed()],
  build: {
    outDir: OUTPUT,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    cssTarget: CSS_TARGET,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: FIRST, test: /src\/first-requests\.ts$/, priority: 1 },
            // What every page needs besides is one file: twenty take longer to load.
            { name: 'panel', tags: ['$initial'] },
          ],
        },
      },
    },
  },
});

/** Runs the script that asks for the first data as soon as it has arrived, rather than with the others, which import it. */
function requestsFirst(): Plugin {
  return {
    name: 'requests-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const preload = new RegExp(`\\n *<link rel="modulepreload" crossorigin href="([^"]*/${FIRST}-[^"]*)">`);
        const src = preload.exec(html)?.[1];
        if (src === undefined) throw new Error(`index.html does not load ${FIRST}.`);
        const script = `<script type="module" async crossorigin src="${src}"></script>`;
        return html.replace(preload, '').replace('<script', `${script}\n    <script`);
      },
    },
  };
}

/** Loads the font beside the scripts: if it arrives after the page is laid out, all of it is laid out again. */
function loadsFontFirst(): Plugin {
  return {
    name: 'loads-font-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const font = Object.keys(bundle).find((file) => FONT.test(file));
        if (font === undefined) throw new Error('The build has no font.');
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/ui/${font}` };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

/** Leaves each text file compressed beside itself, so that the gateway never spends time on it. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const name of readdirSync(OUTPUT, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:html|js|css|svg|json|webmanifest)$/.test(name)) continue;
        const content = readFileSync(join(OUTPUT, name));
        writeFileSync(join(OUTPUT, `${name}.br`), brotliCompressSync(content));
        writeFileSync(join(OUTPUT, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}
