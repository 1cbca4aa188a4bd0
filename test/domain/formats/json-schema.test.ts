import { hasCyclicReference } from '../../../src/domain/formats/json-schema.ts';

test.each([
  ['to the root is cyclic', { properties: { self: { $ref: '#' } } }, true],
  ['to itself is cyclic', { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, true],
  ['in a ring is cyclic', { $defs: { a: { $ref: '#/$defs/b' }, b: { items: { $ref: '#/$defs/a' } } } }, true],
  [
    'to the same leaf twice is not cyclic',
    { $defs: { a: { type: 'string' } }, anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] },
    false,
  ],
  ['to a missing value is not cyclic', { $ref: '#/$defs/missing' }, false],
  ['to a name with a slash is not cyclic', { $defs: { 'a/b': { type: 'string' } }, $ref: '#/$defs/a~1b' }, false],
])('a schema with a reference %s', (_, schema, cyclic) => {
  expect(hasCyclicReference(schema)).toBe(cyclic);
});

test('many references to the same target are visited once', () => {
  const layers = Array.from({ length: 60 }, (_, layer) => [
    `l${layer}`,
    { anyOf: [{ $ref: `#/$defs/l${layer + 1}` }, { $ref: `#/$defs/l${layer + 1}` }] },
  ]);

  expect(hasCyclicReference({ $defs: Object.fromEntries(layers), $ref: '#/$defs/l0' })).toBe(false);
});

test('a chain of thousands of references is followed to its end, with and without a cycle', () => {
  const chain = (last: unknown) => ({
    ...Object.fromEntries(Array.from({ length: 20_000 }, (_, link) => [link, { $ref: `#/${link + 1}` }])),
    20000: last,
  });

  expect(hasCyclicReference(chain({ type: 'string' }))).toBe(false);
  expect(hasCyclicReference(chain({ $ref: '#/19999' }))).toBe(true);
});
