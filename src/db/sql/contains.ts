/** The pattern of `ilike` for texts that contain this one. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** The condition that one of the columns contains `:q`, in any case. Its value: `containing`. */
export const oneContains = (columns: readonly string[]): string =>
  `(${columns.map((column) => `${column} ilike :q`).join(' or ')})`;
