import { invalidCodes, refusals } from '../../src/errors.ts';
import { apiSurface } from '../../src/http/api/surface.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { refusalsOf } from '../../src/http/openapi/route-refusals.ts';
import { routes } from '../../src/http/routes.ts';
import { surfaceOf } from '../../src/http/surfaces.ts';
import type { Json } from '../support/send-request.ts';

const document: Json = JSON.parse(JSON.stringify(openApiDocument(routes)));
const documented: string[] = document.components.schemas.ErrorCode.enum;

/** Of any path, and of what is not HTTP. */
const everywhere = ['path_not_found', 'method_not_allowed', 'headers_too_large', 'request_timeout'];

test('the component ErrorCode lists each code that an endpoint under /api may answer with, once, and no other (spec 1.3)', () => {
  const ofRoutes = routes.filter(({ spec }) => surfaceOf(spec) === apiSurface).flatMap(({ spec }) => refusalsOf(spec));

  expect(documented.toSorted()).toEqual([...new Set([...ofRoutes, ...everywhere, ...invalidCodes])].toSorted());
});

test('every code of an error is in snake_case, and its sentence is that of no other code of the same status (spec 1.3)', () => {
  const sentences = Object.entries(refusals).map(([code, { status, detail }]) => {
    const write = detail as (...all: string[]) => string;
    return { code, sentence: `${status} ${write(...Array<string>(write.length).fill('x'))}` };
  });

  expect(sentences.filter(({ code }) => !/^[a-z]+(_[a-z0-9]+)*$/.test(code))).toEqual([]);
  expect(new Set(sentences.map(({ sentence }) => sentence)).size).toBe(sentences.length);
});

const errors = Object.entries<Json>(document.paths)
  .filter(([path]) => !path.startsWith('/v1/'))
  .flatMap(([path, methods]) =>
    Object.values<Json>(methods).flatMap(({ operationId, responses }) =>
      Object.entries<Json>(responses)
        .filter(([status]) => status >= '400')
        .map(([status, response]) => ({ name: `${operationId} ${status} ${path}`, response })),
    ),
  );

const resolve = ({ $ref, ...own }: Json): Json => ($ref ? document.components.responses[$ref.split('/').at(-1)] : own);

test('every example of an error under /api has a code of ErrorCode, that of its name (spec 1.3)', () => {
  const wrong = errors.filter(({ response }) => {
    const { example, examples = {} } = resolve(response).content['application/json'];
    const shown = Object.entries<Json>(examples).map(([name, { value }]) => [name, value.code]);
    const all = example ? [['request_invalid', example.code], ...shown] : shown;
    return all.some(
      ([name, code]) => code !== (name === 'invalid' ? 'request_invalid' : name) || !documented.includes(code),
    );
  });

  expect(errors.length).toBeGreaterThan(500);
  expect(wrong.map(({ name }) => name)).toEqual([]);
});
