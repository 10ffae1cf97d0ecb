/** Serves a folder with sirv on a free port, and says where. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sirv from 'sirv';

const files = sirv(process.argv[2]!, { brotli: true, gzip: true, etag: true });
const server = createServer((request, response) => files(request, response)).listen(0, '127.0.0.1', () => {
  console.log(`Site: http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
