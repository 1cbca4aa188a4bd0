import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Packages that change seldom and that every page needs: a new version of the console leaves them in the browser's cache. */
const framework = /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-)?(router|query|history|store)[^/]*)\//;
const charts = /node_modules\/(@visx|d3-[^/]*|internmap)\//;

/** All addresses are relative: the console works under every path. Nothing is inlined, because the Content-Security-Policy forbids it. */
export const viteConfig: InlineConfig = {
  root,
  base: './',
  configFile: false,
  logLevel: 'warn',
  define: { __VERSION__: JSON.stringify(version) },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    rolldownOptions: {
      // `"use client"` in packages, which means nothing without a server that renders.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
      output: {
        codeSplitting: {
          groups: [
            { name: 'framework', test: framework },
            { name: 'charts', test: charts },
          ],
        },
      },
    },
  },
};
