// Follows the change feed of a replica and prints each change as one line of JSON. Plain Node, nothing to install:
//
//   CONCORD_TOKEN=... node examples/follow-feed.mjs http://127.0.0.1:4021 <site ID or name> [cursor file]
//
// The cursor is written once the lines of its page are out: started again, the program goes on where it was. It ends
// with status 0 when its input ends, and with status 1 when the feed refuses: what it says then is for people.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const [host, replica, cursorFile] = process.argv.slice(2);
const WAIT_SECONDS = 20;
const RETRY_MS = 1_000;

let cursor = cursorFile !== undefined && existsSync(cursorFile) ? readFileSync(cursorFile, 'utf8') : null;
process.stdin.on('end', () => process.exit(0)).resume();

for (;;) {
  const page = await read();
  if (page === null) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  else await take(page);
}

/** The next page; null when the host cannot be reached or cannot answer now. */
async function read() {
  const query = new URLSearchParams({ wait: String(WAIT_SECONDS), ...(cursor !== null && { cursor }) });
  const answer = await fetch(`${host}/replicas/${encodeURIComponent(replica)}/changes?${query}`, {
    headers: { authorization: `Bearer ${process.env.CONCORD_TOKEN}` },
  }).catch(() => null);
  if (answer === null || answer.status === 503) return null;
  if (answer.ok) return answer.json();
  process.stderr.write(`${host} refuses with ${answer.status}: ${await answer.text()}\n`);
  process.exit(1);
}

/** `next` is absent at the end; `resume` goes on from there as well. */
async function take({ changes, resume }) {
  const lines = changes.map((change) => `${JSON.stringify(change)}\n`).join('');
  if (lines !== '') await new Promise((resolve) => process.stdout.write(lines, resolve));
  cursor = resume;
  if (cursorFile === undefined) return;
  writeFileSync(`${cursorFile}.new`, cursor);
  renameSync(`${cursorFile}.new`, cursorFile);
}
