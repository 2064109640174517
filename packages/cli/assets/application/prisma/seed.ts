import { startProcess } from 'prismapi'
import { readEnv } from '../src/app/env.ts'

/** `npx prisma db seed`: two users, who have written something. A database with users is left as it is. */
await startProcess(async () => {
  const { openDatabase } = await import('../src/app/database.ts')
  const clients = await openDatabase(readEnv().databaseUrl)
  try {
    const db = clients.writer
    if ((await db.user.count()) > 0) return
    const ann = await db.user.create({ data: { name: 'Ann', email: 'ann@example.com' } })
    const ben = await db.user.create({ data: { name: 'Ben', email: 'ben@example.com' } })
    const post = await db.post.create({
      data: { title: 'Hello', content: 'The first post.', publishedAt: new Date('2026-01-01'), authorId: ann.id },
    })
    await db.post.create({ data: { title: 'A draft', content: 'Only Ann sees it.', authorId: ann.id } })
    await db.comment.create({ data: { content: 'Welcome!', authorId: ben.id, postId: post.id } })
  } finally {
    await clients.close()
  }
})
