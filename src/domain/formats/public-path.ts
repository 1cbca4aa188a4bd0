/** `/gateway`, `/a/b`, or nothing: it can stand in an attribute and in a `Location` as it is, and is never `//host`. */
const path = /^(?:\/[\w~-][\w.~-]*)*$/;
const maxPathCharacters = 200;

/** Whether the text can be the path under which the service is reached. `spec 20.4` */
export const isPublicPath = (text: string): boolean => text.length <= maxPathCharacters && path.test(text);
