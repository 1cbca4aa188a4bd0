/** The fields that a request names: `null` is a value, and what is left out changes or selects nothing. */
export const namedFields = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
