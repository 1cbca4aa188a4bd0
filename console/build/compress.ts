import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressible = '**/*.{js,css,svg,json,webmanifest}';
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Writes each file in Brotli and gzip beside it, as small as they get: it is done once, and never for a request. */
export async function compressFiles(folder: string): Promise<void> {
  const names = globSync(compressible, { cwd: folder });
  await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name);
      const content = readFileSync(file);
      const size = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      writeFileSync(`${file}.br`, await brotli(content, { params: size }));
      writeFileSync(`${file}.gz`, await gzipped(content, { level: 9 }));
    }),
  );
}
