/** The fields that the body of a PUT names: `null` is a value there, and what is left out stays as it was. */
export const namedFields = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
