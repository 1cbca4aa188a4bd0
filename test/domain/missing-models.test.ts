import { warningsOfModels } from '../../src/domain/missing-models.ts';

test.each<[string, string[], string[] | undefined, string[]]>([
  ['listed names', ['a', 'b'], ['b', 'a', 'c'], []],
  ['a name that is not listed, twice', ['a', 'x', 'x'], ['a'], ['x']],
  ['another case', ['A'], ['a'], ['A']],
  ['a name of a listed pattern', ['openai/gpt-4o', 'openai', 'azure/gpt-4o'], ['openai/*'], ['openai', 'azure/gpt-4o']],
  ['a list of everything', ['a'], ['*'], []],
  ['an empty list', ['a'], [], []],
  ['no list', ['a'], undefined, []],
])('%s have a warning for each name that the upstream does not list (spec 7.12)', (_, names, listed, missing) => {
  expect(warningsOfModels(names, listed)).toEqual(missing.map((name) => expect.stringContaining(`'${name}'`)));
});
