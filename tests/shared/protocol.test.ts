import { expect, test } from 'vitest';

import { commonProtocol } from '#shared/wire/protocol.ts';

test.for([
  [[1, 1], [1, 1], 1],
  [[1, 3], [2, 5], 3],
  [[2, 5], [1, 3], 3],
  [[1, 5], [2, 3], 3],
  [[1, 1], [2, 2], null],
  [[3, 4], [1, 2], null],
] as const)('W02 of the versions %j and %j both speak %s', ([ours, theirs, common]) => {
  expect(commonProtocol(ours, theirs)).toBe(common);
});
