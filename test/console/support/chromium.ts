import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** `CHROMIUM_PATH`, or a Chromium in a folder of PATH; undefined where there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.CHROMIUM_PATH ?? '', ...found].find((file) => file !== '' && isProgram(file));
}

const missingChromium = 'no Chromium was found: install the package chromium, or set CHROMIUM_PATH';

type Run<Case> = (one: Case) => Promise<void>;

/** `test` where there is a Chromium; elsewhere a skipped test with the reason in its title. The global is read by each file for itself. */
export function testInBrowser(title: string, run: () => Promise<void>, timeout?: number): void {
  if (findChromium()) test(title, run, timeout);
  else test.skip(`${title} (${missingChromium})`, run);
}

/** The same for several cases, whose fields stand in the title as `$field`. */
export function testInBrowserFor<Case extends object>(
  cases: readonly Case[],
  title: string,
  run: Run<Case>,
  timeout?: number,
): void {
  if (findChromium()) test.each([...cases])(title, run, timeout);
  else test.skip(`${title} (${missingChromium})`, () => undefined);
}

export const launchChromium = (executablePath = findChromium()): Promise<Browser> =>
  chromium.launch({
    executablePath,
    // As on Windows and Linux, where scroll bars take room: what overflows by a pixel shows one.
    ignoreDefaultArgs: ['--hide-scrollbars'],
    // Its sandbox needs a user that is not root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
