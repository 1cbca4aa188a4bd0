/** The sum of a field of whole numbers: jobs, tokens, credits. */
export const total = <Field extends string>(rows: readonly Record<Field, number>[], field: Field): number =>
  rows.reduce((sum, row) => sum + row[field], 0);
