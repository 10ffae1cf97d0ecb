/**
 * How Node runs the built server, here and in the Dockerfile: errors name lines of the sources, and the young
 * generation of the heap stays small, which saves memory under load and costs no speed (docs/decisions/serving.md).
 */
export const SERVER_FLAGS = ['--enable-source-maps', '--max-semi-space-size=4'];
