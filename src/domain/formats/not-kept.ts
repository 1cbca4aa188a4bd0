/** What is kept in place of a long text: its length in bytes of UTF-8 and its SHA-256. `spec 17.16` */
export interface NotKept {
  not_kept: { bytes: number; sha256: string };
}

/** Whether JSON text stands for one that is not kept: no request or message begins with this key. */
export const isNotKept = (text: string): boolean => /^\{\s?"not_kept"/.test(text);
