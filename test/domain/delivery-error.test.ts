import { deliveryErrorCode, deliveryErrorCodes, deliveryErrors } from '../../src/domain/delivery-error.ts';

test('every error of a delivery in the record has a code of its own (spec 11.15)', () => {
  const codes = [...Object.values(deliveryErrors), 'HTTP 302: redirects are not followed', 'HTTP 503'].map(
    deliveryErrorCode,
  );

  expect(codes).toEqual([...deliveryErrorCodes]);
  expect(deliveryErrorCode(null)).toBeNull();
  expect(deliveryErrorCode('a sentence of an earlier version')).toBe('connection_failed');
});
