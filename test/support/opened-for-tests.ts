interface Closable {
  close(): Promise<void>;
}

/** Opens before the file's tests and closes after them; its members can be read inside a test. */
export function openedForTests<T extends Closable>(open: () => Promise<T>, withinMs?: number): { readonly current: T } {
  let opened: T | undefined;
  beforeAll(async () => {
    opened = await open();
  }, withinMs);
  afterAll(() => opened?.close(), withinMs);
  return {
    get current() {
      if (!opened) throw new Error('what the tests of this file use is not open yet');
      return opened;
    },
  };
}
