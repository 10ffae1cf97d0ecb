/** @returns the origin of the live site @throws where the text is no address of one */
export function readLiveAddress(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'https:') return url.origin;
  throw new Error('Expected an address that begins with https://, such as https://www.example.org');
}
