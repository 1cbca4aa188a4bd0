export type Metadata = Record<string, unknown>;

/** The metadata after an update. */
export interface MetadataVersion {
  metadata: Metadata;
  /** Milliseconds since the epoch. */
  updated_at: number;
}

/** The limit of a job, in bytes of UTF-8 JSON: `spec 3.4`. */
export const metadataLimitBytes = 10_240;
export const metadataTooLarge = 'Metadata is limited to 10KB per job';

/** The bytes of `text` in UTF-8. Without an encoder, because the workflow sandbox does not guarantee one. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0)!;
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Whether the metadata is within the limit. */
export const metadataFits = (metadata: Metadata): boolean => utf8Length(JSON.stringify(metadata)) <= metadataLimitBytes;

/** Merges top-level keys; `null` is a value like others. Undefined if the merged object exceeds the limit. */
export function mergeMetadata(current: Metadata, patch: Metadata): Metadata | undefined {
  const merged = { ...current, ...patch };
  return metadataFits(merged) ? merged : undefined;
}
