import type { Media } from './token-estimate.ts';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Data of an image, a video or a sound. That of anything else, such as a document or a text, counts by its length. */
const mediaUrl = /^data:(?:image|video|audio)\/[^,\s]{1,100};base64,/;

/** An address, or an object with one. Base64 has a byte for each character. */
function bytesOfUrl(address: unknown): number {
  const url = isObject(address) ? address.url : address;
  return typeof url === 'string' && mediaUrl.test(url) ? url.length : 0;
}

const bytesOfSound = (sound: unknown): number =>
  isObject(sound) && typeof sound.data === 'string' ? sound.data.length : 0;

/** The bytes of a medium, by the type of its part. Parts of other types are no media: a file counts by its size, as text does. */
const bytesOf = new Map<unknown, (part: Fields) => number>([
  ['image_url', ({ image_url }) => bytesOfUrl(image_url)],
  ['video_url', ({ video_url }) => bytesOfUrl(video_url)],
  ['input_audio', ({ input_audio }) => bytesOfSound(input_audio)],
]);

/** The images, videos and sounds in the parts of messages, for the estimate of tokens. `spec 17.15` */
export function countMedia(messages: readonly Fields[]): Media {
  const media: Media = { count: 0, bytes: 0 };
  for (const { content } of messages) {
    for (const part of Array.isArray(content) ? content : []) {
      const bytes = isObject(part) ? bytesOf.get(part.type)?.(part) : undefined;
      if (bytes === undefined) continue;
      media.count += 1;
      media.bytes += bytes;
    }
  }
  return media;
}
