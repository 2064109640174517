import { testedVersions } from '@prismapi/cli/doctor/command'
import { mariadbAnswers, shownMariadb } from '../../test/support/mariadb.ts'
import { postgresAnswers, shownUrl } from '../../test/support/postgres.ts'
import { postgresPrograms } from '../../test/support/private-postgres.ts'
import { type Room, rooms } from '../../tools/mutation/rooms.ts'
import { hasProgram } from '../scaling/programs.ts'
import { benchmarks } from './benchmarks.ts'
import type { Job } from './job.ts'
import { walks as wallWalks } from './wall/walks.ts'

const npm = (...args: readonly string[]) => ['npm', 'run', ...args] as const
const script = (...args: readonly string[]) => [process.execPath, '--import', 'tsx', ...args] as const

/** The programs of a run that starts PostgreSQL servers of its own. */
const lacks = (...names: readonly string[]) => {
  if (postgresPrograms === null) return 'PostgreSQL is not installed'
  return without(...names)
}
const programs = ['haproxy', 'nginx', 'pgbouncer', 'patroni', 'etcd'] as const
const without = (...names: readonly string[]) => {
  const missing = names.filter((name) => !hasProgram(name))
  return missing.length > 0 ? `not installed: ${missing.join(', ')}` : null
}
const lacksPostgres = (): string | null => (postgresAnswers ? null : `PostgreSQL does not answer at ${shownUrl}`)
const lacksProc = (): string | null => (process.platform === 'linux' ? null : 'it reads /proc, which Linux has')

const majors = [22, 24, 26] as const
const [lowestPrisma = ''] = testedVersions

/** Of which CI asks a part. */
const walks = [
  ...['conditions.test.ts', 'field-rules', 'filters', 'live', 'openapi/crawl.test.ts', 'pagination', 'readers'].map(
    (name) => `test/exhaustive/${name}`,
  ),
  ...['kept-answers.test.ts', 'kept-answers-apart.test.ts', 'scopes.test.ts', 'statistics'].map(
    (name) => `test/exhaustive/${name}`,
  ),
  'test/exhaustive/validation/arbitrary',
]
const browserWalks = ['test/browser/language.test.ts', 'test/browser/pages.test.ts']
const projects = (...names: readonly string[]) => names.flatMap((name) => ['--project', name])

/** Of so many parts of the endpoints one is asked each night. */
export const requestParts = 15

/** Sixteen or seventeen endpoints: half as many took 105 s on two cores that did little else. */
const requests = (seed: number): Job => ({
  name: 'requests',
  purpose:
    'Random requests, 10,000 to each endpoint of one part, another one each night: no answer is a 5xx or malformed, and the process does not grow.',
  command: npm(
    ...['reliability', '--', 'fuzz', '--runs', '10000'],
    ...['--part', `${(seed % requestParts) + 1}/${requestParts}`, '--seed', `${seed}`],
  ),
  minutes: 6,
  lacks: lacksProc,
})

// Three jobs that take turns, since the night is full: each of them asks something else whenever its turn comes.

const parsers = (seed: number): Job => ({
  name: 'parsers',
  purpose: 'Coverage-guided fuzzing of everything that parses what clients send: refused or read, never a fault.',
  command: npm('fuzz', '--', '--seconds', '45', '--seed', `${seed}`),
  minutes: 6,
})

const mutation = (turn: number): Job => {
  const { name } = rooms[turn % rooms.length] as Room
  return {
    name: 'mutation',
    purpose:
      'Changes what one folder of the source says, place by place: its tests notice 85 % of the changes at least.',
    command: npm('mutation', '--', name),
    minutes: 6,
  }
}

/** One walk each time, with all faults that it has to notice. */
const wallFaults = (turn: number): Job => {
  const files = Object.values(wallWalks).map(({ file }) => file)
  return {
    name: 'wall',
    purpose:
      'Takes one line out of the wall for rows after the other: a leak walk, another one each time, notices each.',
    command: script('scripts/nightly/wall-faults.ts', '--walk', files[turn % files.length] as string),
    minutes: 6,
  }
}

/** On one database, and on the other one the next night. */
const worstRequests = (seed: number): Job => {
  const [of, ...args] = seed % 2 === 0 ? ['SQLite'] : ['PostgreSQL', '--postgres']
  return {
    name: 'bench:price',
    purpose: `The worst requests that the limits allow, on ${of} with 100,000 posts and skewed rows: none takes more than a second of CPU or 64 MiB, or keeps others waiting.`,
    command: script('scripts/nightly/worst-requests.ts', '--seed', `${seed}`, ...args),
    minutes: 6,
    ...(args.length > 0 && { lacks: lacksPostgres }),
  }
}

/**
 * On another version of Node each night; in one of seven with the lowest version of Prisma, in one beside each, in one all of that of which
 * CI asks a part, and in one the tests in another order.
 */
function another(seed: number): Job {
  const turn = seed % (majors.length + 4)
  if (turn === majors.length + 3)
    return {
      name: 'installed',
      purpose: 'An application is installed, begun and asked beside each version of Prisma, and by the tutorial.',
      command: ['npx', 'vitest', 'run', ...projects('process'), 'prisma-versions', 'tutorial.test.ts'],
      minutes: 15,
    }
  if (turn === majors.length + 2)
    return {
      name: 'shuffled',
      purpose:
        'The tests of npm test, files and tests in an order that is drawn: none needs what another one has left.',
      command: ['env', `FC_SEED=${seed}`, ...npm('test:shuffled', '--', `--sequence.seed=${seed}`)],
      minutes: 7,
    }
  if (turn === majors.length + 1)
    return {
      name: 'schemas',
      purpose: 'Every difficult schema, walked whole, and every recipe of the documentation, of which CI asks a part.',
      command: [
        'env',
        `FC_SEED=${seed}`,
        'TEST_TURN=all',
        'npx',
        'vitest',
        'run',
        ...projects('schemas', 'documentation'),
      ],
      minutes: 7,
    }
  const major = majors[turn]
  if (major === undefined)
    return {
      name: 'prisma',
      purpose: 'With the lowest version of Prisma that is supported: all of npm test.',
      command: script('scripts/nightly/on-prisma.ts', lowestPrisma),
      minutes: 7,
    }
  return {
    name: 'node',
    purpose: 'On another version of Node, another one each night: the README, the tests, and an installed package.',
    command: script('scripts/nightly/on-node.ts', `${major}`),
    minutes: 7,
  }
}

/** On one database, and on the other one the next night. */
const twins = (seed: number): Job => {
  const [of, ...command] =
    seed % 2 === 0
      ? ['SQLite', 'npx', 'vitest', 'run', ...projects('exhaustive')]
      : ['PostgreSQL', ...npm('test:postgres', '--')]
  return {
    name: 'twins',
    purpose: `Reads, writes, pages, forms and streams of an application with all that hides rows, drawn anew each night on ${of}: the same bytes with the hidden rows and without them.`,
    command: ['env', `FC_SEED=${seed}`, `LEAK_WALK=${requestsOfTwins}`, ...command, 'test/exhaustive/twins'],
    minutes: 5,
    ...(seed % 2 > 0 && { lacks: lacksPostgres }),
  }
}

/** Of each of four callers, by each of two means: half of them in two minutes, on two cores that did much else. */
const requestsOfTwins = 300

/**
 * All jobs of a night, in their order. Their budgets are two hours together at most. What is drawn at random follows from the seed: one
 * night asks what another did not.
 */
export function jobsOf(seed: number): readonly Job[] {
  // Tests that ask at random take it from the environment.
  const seeded = (...command: readonly string[]) => ['env', `FC_SEED=${seed}`, ...command] as const
  /** `LEAK_WALK` is how much is asked; another number draws other questions. */
  const walk = (least: number, ...command: readonly string[]) =>
    seeded(`LEAK_WALK=${least + (seed % least)}`, ...command)

  return [
    {
      name: 'programs',
      purpose:
        'Installs HAProxy, nginx, PgBouncer, Patroni and etcd, where they are not installed and the system has apt-get.',
      command: script('scripts/nightly/install-programs.ts', ...programs),
      minutes: 3,
      lacks: () => (hasProgram('apt-get') ? null : `it has no apt-get: install ${programs.join(', ')} by hand`),
    },
    {
      name: 'kill',
      purpose: 'The server is killed again and again while clients write: no acknowledged write is lost.',
      command: npm('reliability', '--', 'kill', '--seconds', '120', '--kills', '20'),
      minutes: 3,
    },
    {
      name: 'streams',
      purpose: 'Clients of live streams are cut off, the server is killed: each has in the end what the database has.',
      command: npm('reliability', '--', 'streams', '--disconnects', '100', '--kills', '10'),
      minutes: 3,
    },
    {
      name: 'streams:postgres',
      purpose: 'The same on PostgreSQL.',
      command: npm('reliability', '--', 'streams', '--disconnects', '100', '--kills', '10', '--postgres'),
      minutes: 3,
      lacks: lacksPostgres,
    },
    ...(['haproxy', 'nginx'] as const).map((proxy) => ({
      name: `streams:${proxy}`,
      purpose: `The same through ${proxy}, and no stream ends because nothing is written.`,
      command: npm('reliability', '--', 'streams', '--disconnects', '30', '--kills', '2', '--proxy', proxy),
      minutes: 2,
      lacks: () => without(proxy),
    })),
    {
      name: 'query:proxies',
      purpose: 'HAProxy and nginx pass QUERY, its body, and the headers by which its responses are kept.',
      command: ['npx', 'vitest', 'run', ...projects('process'), 'query-proxies.test.ts'],
      minutes: 0.5,
      lacks: () => lacks('haproxy', 'nginx'),
    },
    requests(seed),
    seed % 2 === 1 ? mutation(Math.floor(seed / 2)) : seed % 4 === 0 ? parsers(seed) : wallFaults(Math.floor(seed / 4)),
    {
      name: 'soak',
      purpose: 'A steady load at 70 % of the most: no request fails, memory and open files do not grow.',
      command: npm('reliability', '--', 'soak', '--seconds', '175'),
      minutes: 3.5,
      lacks: lacksProc,
    },
    {
      name: 'scaling',
      purpose: 'Two machines with a replica lose a worker, a server and the replica: clients read what they wrote.',
      command: npm('scaling', '--', '--seconds', '60'),
      minutes: 3,
      lacks: () => lacks('haproxy'),
    },
    {
      name: 'failover',
      purpose: 'The primary dies ten times and a replica takes over: nothing is lost, and servers write again at once.',
      command: npm('scaling', '--', '--failover', '--failures', '10'),
      minutes: 9,
      lacks: () => lacks('patroni', 'etcd', 'haproxy'),
    },
    {
      name: 'policies',
      purpose: 'Random pairs of policies: what the solver proves is what every small database says.',
      command: script('scripts/nightly/policy-pairs.ts', '1500', `${seed}`),
      minutes: 2,
    },
    {
      name: 'never',
      purpose:
        'Random writes to 2,000 random applications: what is proven never to change no request changes, on SQLite and PostgreSQL.',
      command: script('--conditions=prismapi/source', 'scripts/nightly/never-done.ts', '2000', `${seed}`),
      minutes: 8,
    },
    {
      name: 'who',
      purpose: 'Who may do something, by one query, and asked of each of 10,000 users: the same.',
      command: script('--conditions=prismapi/source', 'scripts/nightly/who-may.ts'),
      minutes: 1,
    },
    {
      name: 'guarded',
      purpose:
        'The tests of the API on a database that refuses rows itself, twenty planted holes, which it closes, and a thousand random statements.',
      command: walk(1, ...npm('test:guarded')),
      minutes: 8,
      lacks: lacksPostgres,
    },
    {
      name: 'walks',
      purpose:
        'Hidden rows, and hidden values of rows, change no byte of what is asked at random, or of streams; figures are what rows add up to. Every page, as everybody sees it.',
      command: walk(
        270,
        'npx',
        'vitest',
        'run',
        ...projects('exhaustive', 'api', 'browser'),
        ...walks,
        ...browserWalks,
      ),
      minutes: 6,
    },
    {
      name: 'walks:postgres',
      purpose: 'The same on PostgreSQL.',
      command: walk(130, ...npm('test:postgres', '--', ...walks)),
      minutes: 5,
      lacks: lacksPostgres,
    },
    {
      name: 'mariadb',
      purpose: 'The tests of the API on MariaDB, which Prisma alone reads.',
      command: npm('test:mariadb'),
      minutes: 3,
      lacks: () => (mariadbAnswers ? null : `MariaDB does not answer at ${shownMariadb}`),
    },
    twins(seed),
    ...benchmarks,
    worstRequests(seed),
    another(seed),
  ]
}
