import { expect, test } from 'vitest'
import { useBoot } from '../support/boot.ts'

// What reads that there is not stops the start: it was a 500 for each request.

const boot = useBoot()

const start = (reads: unknown) =>
  boot({
    'src/app/v1/server.js': `import { Server } from 'prismapi'
export default class V1 extends Server {
  name = 'v1'
  reads = ${JSON.stringify(reads)}
}`,
  })

test.each(['sql', '', null])('reads = %j stops the start', async (reads) => {
  await expect(start(reads)).rejects.toThrow(
    new Error(
      `src/app/v1/server.js: Server v1: reads is ${JSON.stringify(reads)}. Write 'auto', or 'prisma' for Prisma Client alone.`,
    ),
  )
})
