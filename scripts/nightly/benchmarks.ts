import type { Job } from './job.ts'

/** `npm run bench:…`: each prints its figures, and fails where one is worse than its own target. */
const bench = (name: string, minutes: number, purpose: string, ...args: readonly string[]): Job => ({
  name,
  purpose,
  command: ['npm', 'run', name, ...(args.length > 0 ? ['--', ...args] : [])],
  minutes,
})

/** They compare within one run, so another machine has other figures and the same verdict. */
export const benchmarks: readonly Job[] = [
  bench(
    'bench',
    4,
    'What the framework costs beside servers that were written by hand.',
    '--quick',
    '--rounds',
    '2',
    '--spelling',
    'iso',
  ),
  bench(
    'bench:operations',
    1,
    'A hundred operations in one request, and a hundred calls without HTTP, beside a hundred requests.',
  ),
  bench('bench:cursor', 3, 'A page by cursor costs the same near the beginning and near the end.'),
  bench('bench:live', 2, 'A thousand streams under writes: events come within 250 ms.'),
  bench('bench:fields', 3, 'What a rule about one field costs.', '15'),
  bench('bench:live-writes', 2, 'What a write costs that triggers log and nobody watches.'),
  bench('bench:statistics', 3, 'Figures of a million rows, beside the same statements written by hand.'),
  bench('bench:costs', 2, 'What the framework costs by itself, without a database.'),
  bench('bench:scale', 5, 'What 200 models cost, beside 6.'),
]
