import { createHash } from 'node:crypto';

/** The release whose dev server the flags were measured with. `source/` has the same version. */
export const temporalVersion = '1.5.1';

/** SHA-256 of the archives of that release, by platform and architecture as Node.js names them. Others are built from the source. */
const archives: Readonly<Record<string, string>> = {
  'darwin-arm64': 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
  'darwin-x64': 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  'linux-arm64': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  'linux-x64': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
};

export interface Archive {
  url: string;
  sha256: string;
}

/** undefined: no archive with a known checksum. */
export function archiveFor(platform: string, architecture: string): Archive | undefined {
  const sha256 = archives[`${platform}-${architecture}`];
  const name = `temporal_cli_${temporalVersion}_${platform}_${architecture === 'x64' ? 'amd64' : architecture}.tar.gz`;
  return sha256 === undefined
    ? undefined
    : { url: `https://github.com/temporalio/cli/releases/download/v${temporalVersion}/${name}`, sha256 };
}

/** Throws unless the bytes have the archive's checksum. */
export function verifyArchive(bytes: Uint8Array, { sha256 }: Archive): void {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`the archive is not the one of the release: its SHA-256 is ${found}`);
}
