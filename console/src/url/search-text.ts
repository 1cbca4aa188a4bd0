/** What is in the URL after `?`: text, or a list where a name is there more than once. */
export type SearchText = Record<string, string | string[] | undefined>;

export function parseSearch(text: string): SearchText {
  const search: SearchText = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = search[name];
    search[name] = before === undefined ? value : [before, value].flat();
  }
  return search;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const each of [value].flat())
      if (each !== undefined && each !== null && each !== '') text.append(name, String(each));
  return text.size > 0 ? `?${text}` : '';
}

const maxLength = 500;

/** Readers for `validateSearch`: what is not understood is left out, so that an old or edited link still opens the page. */
export const textIn = (search: Record<string, unknown>, name: string): string | undefined => {
  const value = [search[name]].flat()[0];
  return typeof value === 'string' && value !== '' ? value.slice(0, maxLength) : undefined;
};

export const textsIn = (search: Record<string, unknown>, name: string): string[] | undefined => {
  const values = [search[name]].flat().filter((each): each is string => typeof each === 'string' && each !== '');
  return values.length > 0 ? values.map((each) => each.slice(0, maxLength)) : undefined;
};

export const oneIn = <Value extends string>(
  search: Record<string, unknown>,
  name: string,
  allowed: readonly Value[],
): Value | undefined => allowed.find((each) => each === textIn(search, name));
