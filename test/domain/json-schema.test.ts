import { hasCyclicReference } from '../../src/domain/json-schema.ts';

test.each([
  ['to the root', { properties: { self: { $ref: '#' } } }, true],
  ['to itself', { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, true],
  ['in a ring', { $defs: { a: { $ref: '#/$defs/b' }, b: { items: { $ref: '#/$defs/a' } } } }, true],
  [
    'to a leaf, twice',
    { $defs: { a: { type: 'string' } }, anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] },
    false,
  ],
  ['nowhere', { $ref: '#/$defs/missing' }, false],
  ['to a name with a slash', { $defs: { 'a/b': { type: 'string' } }, $ref: '#/$defs/a~1b' }, false],
])('a reference %s', (_, schema, cyclic) => {
  expect(hasCyclicReference(schema)).toBe(cyclic);
});

test('many references to one place cost no more than one', () => {
  const layers = Array.from({ length: 60 }, (_, layer) => [
    `l${layer}`,
    { anyOf: [{ $ref: `#/$defs/l${layer + 1}` }, { $ref: `#/$defs/l${layer + 1}` }] },
  ]);

  expect(hasCyclicReference({ $defs: Object.fromEntries(layers), $ref: '#/$defs/l0' })).toBe(false);
});

test('a chain of thousands of references is followed to its end', () => {
  const chain = (last: unknown) => ({
    ...Object.fromEntries(Array.from({ length: 20_000 }, (_, link) => [link, { $ref: `#/${link + 1}` }])),
    20000: last,
  });

  expect(hasCyclicReference(chain({ type: 'string' }))).toBe(false);
  expect(hasCyclicReference(chain({ $ref: '#/19999' }))).toBe(true);
});
