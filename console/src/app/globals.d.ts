/** The version in package.json when the console was built: `console/build/vite-config.ts`. */
declare const __VERSION__: string;
