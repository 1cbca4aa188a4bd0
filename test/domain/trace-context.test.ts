import { partsOfTrace, readTraceHeaders, traceHeaders } from '../../src/domain/trace-context.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const valid = `00-${traceId}-${spanId}-01`;

test.each([
  ['recorded by the client', valid, valid],
  ['not recorded by the client', `00-${traceId}-${spanId}-00`, `00-${traceId}-${spanId}-00`],
  ['with flags that the first version does not know', `00-${traceId}-${spanId}-ff`, valid],
  ['with the flag of a random id alone', `00-${traceId}-${spanId}-02`, `00-${traceId}-${spanId}-00`],
  ['of a later version', `cc-${traceId}-${spanId}-01`, valid],
  ['of a later version with more fields', `cc-${traceId}-${spanId}-01-what-is-new`, valid],
])('a traceparent %s is continued in the first version (spec 14.11)', (_, traceparent, continued) => {
  expect(readTraceHeaders({ traceparent })).toBe(continued);
});

test.each([
  ['absent', undefined],
  ['empty', ''],
  ['of the forbidden version', `ff-${traceId}-${spanId}-01`],
  ['of the first version with more fields', `${valid}-more`],
  ['of a later version with more characters', `cc-${traceId}-${spanId}-01.more`],
  ['in capitals', valid.toUpperCase()],
  ['with a trace id of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['with a span id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['too short', valid.slice(0, -1)],
  ['too long', `${valid}1`],
  ['with a character that is not hexadecimal', valid.replace('7', 'g')],
  ['with a space around it', ` ${valid}`],
  ['sent twice', `${valid}, ${valid}`],
])('a traceparent that is %s begins a trace, and its tracestate is ignored (spec 14.11)', (_, traceparent) => {
  expect(readTraceHeaders({ traceparent, tracestate: 'vendor=1' })).toBeUndefined();
});

test('a context has the tracestate of its client, and both are the headers of the next request (spec 14.11)', () => {
  const context = readTraceHeaders({ traceparent: valid, tracestate: 'rojo=00f0, congo=t61 x' })!;

  expect(traceHeaders(context)).toEqual({ traceparent: valid, tracestate: 'rojo=00f0, congo=t61 x' });
  expect(partsOfTrace(context)).toMatchObject({ traceId, spanId, isSampled: true });
});

test.each([
  ['of more than 512 characters', `a=${'x'.repeat(511)}`],
  ['with a line break', 'a=1\r\nx-injected: 1'],
  ['that is empty', ''],
])('a tracestate %s is left out, and the trace is continued (spec 14.11)', (_, tracestate) => {
  expect(readTraceHeaders({ traceparent: valid, tracestate })).toBe(valid);
});

test('the longest context fits the column of calls (spec 14.11)', () => {
  expect(readTraceHeaders({ traceparent: valid, tracestate: 'x'.repeat(512) })).toHaveLength(568);
});
