/**
 * A text without its case and without differences that cannot be seen, such as é in one or in two characters. The same on every
 * server: `lower()` alone depends on the locale of the cluster, and that of `npm start`, C, knows only ASCII. Upper case of lower
 * case, because ß, ẞ and SS, or the two small sigmas, are one only there. Texts of ASCII only are most of them, and take a
 * fifteenth of the time. Decision 104.
 */
const folded = (sql: string): string => `
  case when octet_length(${sql}) = char_length(${sql}) then upper(${sql} collate "C") collate "C"
       else normalize(upper(lower(normalize(${sql}, NFKC) collate "und-x-icu")), NFKC) collate "C" end`;

/** The condition that one of the columns contains `:q`, in any case. The subquery is folded once, not for each row. */
export const oneContains = (columns: readonly string[]): string =>
  `(${columns.map((column) => `strpos(${folded(column)}, (select ${folded(':q::text')})) > 0`).join(' or ')})`;
