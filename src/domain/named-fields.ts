/** Of the body of a PUT, what it names: `null` is a value there, what is left out stays as it was. */
export const namedFields = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
