import Sqlite from 'better-sqlite3'

/** What the benchmark reads and writes: the tables of the example, filled the same every time. */
export const sizes = { users: 200, posts: 10_000, comments: 50_000, tags: 100, links: 30_000 } as const

const day = 86_400_000
const start = Date.parse('2020-01-01T00:00:00Z')

/** How instants are stored: by Prisma today, by other languages, and by Prisma 6 and earlier. */
export const spellings = {
  prisma: (instant: Date): string => instant.toISOString().replace('Z', '+00:00'),
  iso: (instant: Date): string => instant.toISOString(),
  epoch: (instant: Date): number => instant.getTime(),
} as const

export type Spelling = keyof typeof spellings

const sentence = 'The quick brown fox jumps over the lazy dog, and nobody knows why it did so that day. '

/** Fills a migrated database. Neighbouring posts share their time of creation, so that an order needs the id as well. */
export function fill(file: string, spelling: Spelling): void {
  const at = (milliseconds: number) => spellings[spelling](new Date(start + milliseconds))
  const db = new Sqlite(file)
  // As every server of them should: readers do not wait for who writes.
  db.pragma('journal_mode = WAL')
  const insert = (table: string, columns: readonly string[]) =>
    db.prepare(
      `insert into "${table}" (${columns.map((c) => `"${c}"`).join()}) values (${columns.map(() => '?').join()})`,
    )
  const rows = (count: number, statement: Sqlite.Statement, values: (n: number) => readonly unknown[]) => {
    for (let n = 1; n <= count; n++) statement.run(...values(n))
  }
  db.transaction(() => {
    const user = insert('User', ['id', 'name', 'email', 'role', 'passwordHash', 'createdAt', 'updatedAt'])
    rows(sizes.users, user, (n) => [n, `User ${n}`, `user${n}@example.com`, 'MEMBER', 'x', at(n * day), at(n * day)])
    rows(sizes.tags, insert('Tag', ['id', 'name']), (n) => [n, `tag-${String(n).padStart(3, '0')}`])
    const post = insert('Post', [
      'id',
      'title',
      'slug',
      'content',
      'synopsis',
      'publishedAt',
      'createdAt',
      'updatedAt',
      'authorId',
    ])
    rows(sizes.posts, post, (n) => {
      const created = at(Math.floor(n / 2) * 60_000)
      const synopsis = n % 3 === 0 ? null : `About "${n}"`
      return [n, `Post number ${n}`, `post-${n}`, sentence.repeat(4), synopsis, created, created, created, authorOf(n)]
    })
    const comment = insert('Comment', ['id', 'content', 'createdAt', 'authorId', 'postId'])
    rows(sizes.comments, comment, (n) => [
      n,
      `Comment ${n}`,
      at(n * 1000),
      1 + (n % sizes.users),
      1 + (n % sizes.posts),
    ])
    // Three tags for each post, no two the same.
    rows(sizes.links, insert('_PostToTag', ['A', 'B']), (n) => {
      const postId = 1 + Math.floor((n - 1) / 3)
      return [postId, 1 + ((postId * 7 + ((n - 1) % 3) * 31) % sizes.tags)]
    })
  })()
  db.exec('ANALYZE')
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

const authorOf = (post: number): number => 1 + ((post * 13) % sizes.users)
