/** The fields that a request names: `null` is a value; an omitted field changes or selects nothing. */
export const namedFields = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
