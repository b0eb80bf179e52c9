import { readPageFile } from './read-page-file.ts';
import { securityHeaders } from './security-headers.ts';

/** Answers a request of the desktop's own page for one of its files, with the headers that a browser would get. */
export async function answerPageRequest(rendererDir: string, url: string): Promise<Response> {
  const file = await readPageFile(rendererDir, new URL(url).pathname);
  const headers = securityHeaders([]);
  if (file === null) return new Response(null, { status: 404, headers });
  return new Response(new Uint8Array(file.body), { status: 200, headers: { ...headers, ...file.headers } });
}
