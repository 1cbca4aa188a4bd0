import {
  canonicalNumber,
  isRawNumber,
  parseExactJson,
  pathToRawNumber,
} from '../../../src/domain/formats/exact-json.ts';

const roundTrip = (text: string) => JSON.stringify(parseExactJson(text));

test.each([
  '9007199254740993',
  '-9007199254740993',
  '12345678901234567890',
  '18446744073709551615',
  '9007199254740993.0',
  '9007199254740993e0',
  '900719925474099.3e1',
  `1${'0'.repeat(300)}1`,
])('the number %s, which no double holds, is written as it was read', (number) => {
  const text = `{"a":[${number}]}`;

  expect(roundTrip(text)).toBe(text);
  expect(pathToRawNumber(parseExactJson(text))).toEqual(['a', 0]);
});

test.each([
  '9007199254740991',
  '-9007199254740991',
  '9007199254740992',
  '9007199254740994',
  '1000000000000000000000',
  '1e23',
  '0.12345678901234567',
  '0.1000000000000000055511151231257827',
  '1700000000000.0000000001',
  '1.7976931348623157e308',
  '1e999',
  '-0',
])('the number %s is read as JSON.parse reads it', (number) => {
  const text = `{"a":${number}}`;
  const rounded: unknown = JSON.parse(text);

  expect(parseExactJson(text, rounded)).toBe(rounded);
});

test('digits in strings and in keys are no numbers', () => {
  const text = '{"9007199254740993":"9007199254740993","a":"x: 9007199254740993, 9007199254740993"}';

  expect(roundTrip(text)).toBe(text);
  expect(pathToRawNumber(parseExactJson(text))).toBeUndefined();
});

test('of a key that occurs twice the last value counts', () => {
  expect(roundTrip('{"a":9007199254740993,"a":1}')).toBe('{"a":1}');
  expect(roundTrip('{"a":1,"a":9007199254740993}')).toBe('{"a":9007199254740993}');
});

test('numbers that differ in their spelling alone have one canonical spelling', () => {
  const spellings = ['9007199254740993', '9007199254740993.0', '900719925474099.3e1', '9007199254740993E+0'];
  const numbers = spellings.map((spelling) => (parseExactJson(`[${spelling}]`) as unknown[])[0]);

  expect(numbers.every(isRawNumber)).toBe(true);
  expect(numbers.filter(isRawNumber).map((number) => canonicalNumber(number).rawJSON)).toEqual(
    Array(4).fill('9007199254740993'),
  );
});

test('an object that looks like a number as it was written is an object', () => {
  const text = '{"a":{"rawJSON":"9007199254740993"},"b":9007199254740993}';

  expect(pathToRawNumber(parseExactJson(text))).toEqual(['b']);
  expect(roundTrip(text)).toBe(text);
});
