const user = "import('@prismapi/testing').Made<'User'>"
const post = "import('@prismapi/testing').Made<'Post'>"
const tag = "import('@prismapi/testing').Made<'Tag'>"

/** What examples of `@prismapi/testing` speak of without saying where it comes from: every test file has something like it. */
export const scenery: Readonly<Record<string, string>> = {
  app: "import('koa')",
  client: "import('@prismapi/testing').Api<{ readonly id: number }>",
  answer: "import('@prismapi/testing').Answer",
  tested: "import('@prismapi/testing/kit').Tested",
  test: '(name: string, run: () => Promise<void>) => void',
  resources: "import('prismapi').Resources",
  prisma: "import('../../prisma/generated/client/client.ts').PrismaClient",
  seed: '(url: string) => Promise<void>',
  tokenOf: '(id: number) => string',
  change: "import('@prismapi/testing').ResourceExpectation",
  self: 'string',
  ...{ ann: user, post, first: post, second: post, zebra: post, ant: post, news: tag, sport: tag },
}
