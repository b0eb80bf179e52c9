import { changesOf, makeSyncStory, outcomeOf } from '../sync-story.ts';
import { CANDIDATES } from './candidates.ts';

// In a process of its own for each product: plays the story once and prints what it cost, as JSON.

const [name = '', rows = '', folder = ''] = process.argv.slice(2);
const candidate = CANDIDATES.get(name);
if (candidate === undefined) throw new Error(`There is no candidate ${name}.`);
const story = makeSyncStory(Number(rows));
const { work, outcome } = await candidate.open(folder);
const before = process.cpuUsage();
await work(story);
const { user, system } = process.cpuUsage(before);
const [found, wanted] = [await outcome(), outcomeOf(story)];
if (found.rows !== wanted.rows || found.sum !== wanted.sum)
  throw new Error(`${name} ended with ${JSON.stringify(found)} for ${JSON.stringify(wanted)}.`);
console.log(JSON.stringify({ changes: changesOf(story), cpuSeconds: (user + system) / 1_000_000 }));
process.exit(0);
