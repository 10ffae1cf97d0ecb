/**
 * How Node runs the built server, here and in the Dockerfile: errors name lines of the sources; the young generation of
 * the heap stays small, which saves memory under load and costs no speed (docs/decisions/serving.md); and the heap grows
 * by a fifth at a time, so that the sending of an update needs 150 MB rather than 230 (docs/performance/updates.md).
 */
export const SERVER_FLAGS = ['--enable-source-maps', '--max-semi-space-size=4', '--heap-growing-percent=20'];
