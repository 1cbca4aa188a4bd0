import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first of these programs that PATH, or one of the further folders, has. */
export function findProgram(names: string[], furtherFolders: string[] = []): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...furtherFolders].filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
