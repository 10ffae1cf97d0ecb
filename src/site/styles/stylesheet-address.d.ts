/** The address of a stylesheet that a page links. */
declare module '*.css?url' {
  const address: string;
  export default address;
}
