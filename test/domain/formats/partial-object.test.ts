import { JsonProgress, readPartialObject } from '../../../src/domain/formats/partial-object.ts';

test.each<[string, object]>([
  ['{"a":1}', { a: 1 }],
  ['', {}],
  ['null', {}],
  ['[1]', {}],
  ['"text"', {}],
  ['nonsense', {}],
  ['{', {}],
  ['{"a', {}],
  ['{"a"', {}],
  ['{"a":', {}],
  ['{"a":1,', { a: 1 }],
  ['{"a":tru', {}],
  ['{"a":"x', { a: 'x' }],
  ['{"a":"x\\', { a: 'x' }],
  ['{"a":"x\\\\', { a: 'x\\' }],
  ['{"a":"x\\u00e', { a: 'x' }],
  ['{"a":"x\\n', { a: 'x\n' }],
  ['{ "a" : { "b" : [ 1 , { "c" : "d" } , "e', { a: { b: [1, { c: 'd' }, 'e'] } }],
  ['{"a":[', { a: [] }],
  ['{"a":[]', { a: [] }],
  ['{"a":1} and more', { a: 1 }],
  [`{"a":${'['.repeat(200_000)}`, {}],
])('of the arguments %.40s the object that can be read is an object (spec 28.7)', (text, object) => {
  expect(readPartialObject(text)).toEqual(object);
});

test('an object that breaks off keeps a key of the prototype as a key, and numbers as they were written (spec 28.7)', () => {
  const object = readPartialObject('{"__proto__":{"x":1},"n":12345678901234567890,"s":"');

  expect(JSON.stringify(object)).toBe('{"__proto__":{"x":1},"n":12345678901234567890,"s":""}');
});

test('JSON that comes in pieces is complete once its last bracket is closed (spec 28.8)', () => {
  const progress = new JsonProgress();
  const complete = ['', '{"a":"', '}\\"', '"', ',"b":[1', ']', '}'].map((piece) => {
    progress.add(piece);
    return progress.isComplete;
  });

  expect(complete).toEqual([false, false, false, false, false, false, true]);
});
