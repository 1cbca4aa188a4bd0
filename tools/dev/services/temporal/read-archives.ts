import { gunzipSync, inflateRawSync } from 'node:zlib';

/** The program has 160 MB: what unpacks to more is something else. */
const maxBytes = 400 * 1_048_576;

/** The content of one file of a `.tar.gz`. */
export function readFromTar(archive: Uint8Array, name: string): Buffer {
  const tar = gunzipSync(archive, { maxOutputLength: maxBytes });
  const text = (at: number, length: number) => tar.toString('latin1', at, at + length).split('\0', 1)[0]!;
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    if (Number.isNaN(size)) break;
    if (text(at, 100) === name) return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`the archive contains no ${name}`);
}

const endOfDirectory = Buffer.from('PK\x05\x06', 'latin1');
const deflated = 8;

/** The content of the first file of a zip, such as a wheel, whose path ends so. The directory at its end lists the files. */
export function readFromZip(bytes: Uint8Array, ending: string): Buffer {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = zip.lastIndexOf(endOfDirectory);
  if (end < 0) throw new Error('this is no zip file');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const path = zip.toString('utf8', at + 46, at + 46 + nameLength);
    if (path.endsWith(ending)) return readEntry(zip, at);
    at += 46 + nameLength + extraLength + commentLength;
  }
  throw new Error(`the zip file contains no ${ending}`);
}

function readEntry(zip: Buffer, at: number): Buffer {
  const [method, size, header] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
  // The header before the content repeats the name, and may have other fields than the directory.
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const content = zip.subarray(start, start + size);
  return method === deflated ? inflateRawSync(content, { maxOutputLength: maxBytes }) : content;
}
