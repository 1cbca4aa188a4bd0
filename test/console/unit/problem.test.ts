import { toProblem } from '../../../console/src/api/problem.ts';

const wrong = (place: string) => ({ detail: [{ loc: [place, 'job_id'], msg: 'Input should be a valid UUID' }] });

test.each([
  ['an unknown id', 404, { detail: "Job 'x' not found" }, true],
  ['an id that can be that of none', 422, wrong('path'), true],
  ['a wrong field of a body', 422, wrong('body'), false],
  ['a refusal', 403, { detail: 'Forbidden' }, false],
  ['no service', 503, null, false],
])('the answer to %s is distinguished from what does not exist', (_, status, body, isNotFound) => {
  expect(toProblem(status, body, 'request').isNotFound).toBe(isNotFound);
});

test('a refused field is named with its reason', () => {
  expect(toProblem(422, wrong('body'), null)).toMatchObject({
    message: 'job_id: Input should be a valid UUID',
    fields: { job_id: 'Input should be a valid UUID' },
  });
});
