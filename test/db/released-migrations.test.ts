import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const released: Record<string, string> = JSON.parse(read('released-migrations.json'));

test.each(Object.entries(released))(
  'the released migration %s is unchanged: a change is a further migration',
  (name, sha256) => {
    expect(
      createHash('sha256')
        .update(read(`../../migrations/${name}`))
        .digest('hex'),
    ).toBe(sha256);
  },
);
