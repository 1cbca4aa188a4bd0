/** One of a few values, with the word for it. */
export interface Option<Value extends string> {
  value: Value;
  label: string;
}
