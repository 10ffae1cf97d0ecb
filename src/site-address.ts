/** `/index.html` is `/`, `/privacy-policy.html` is `/privacy-policy`: a page of the built site has one address. */
export function addressOf(file: string): string {
  return file.endsWith('/index.html') ? file.slice(0, -'index.html'.length) : file.replace(/\.html$/, '');
}
