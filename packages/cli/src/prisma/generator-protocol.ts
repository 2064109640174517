import type { GeneratorManifest, GeneratorOptions } from './schema-description.ts'

/** A generator as `prisma generate` runs it: a process that gets requests on stdin and writes responses to stderr. */
export interface Generator {
  manifest(): GeneratorManifest
  generate(options: GeneratorOptions): Promise<void>
}

/** A request of JSON-RPC, one a line. */
interface Request {
  readonly id: number
  readonly method: string
  readonly params: GeneratorOptions
}

/**
 * Answers the requests of `prisma generate` until it closes stdin. `@prisma/generator-helper` does the same, but parses
 * whole requests: one about 302 models has 130 MB, mostly the description of Prisma Client, and takes seconds.
 */
export async function answerPrisma(generator: Generator): Promise<void> {
  for await (const line of readLines(process.stdin)) {
    const { id, method, params } = JSON.parse(cutClientDescription(line)) as Request
    const response = { jsonrpc: '2.0', id, ...(await respond(generator, method, params)) }
    process.stderr.write(`${JSON.stringify(response)}\n`)
  }
}

async function respond(generator: Generator, method: string, options: GeneratorOptions): Promise<object> {
  try {
    if (method === 'getManifest') return { result: { manifest: generator.manifest() } }
    await generator.generate(options)
    return { result: null }
  } catch (error) {
    const { message, stack } = error as Error
    return { error: { code: -32_000, message, data: { stack } } }
  }
}

const lineFeed = 10

/** Splits bytes at line feeds. A line may come in many chunks, which are joined once. */
async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let unfinished: Buffer[] = []
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield Buffer.concat([...unfinished, chunk.subarray(start, end)])
      unfinished = []
      start = end + 1
    }
    unfinished.push(chunk.subarray(start))
  }
}

// The members between which the description of Prisma Client stands. No string of the schema can contain them, because
// JSON escapes its quotes.
const descriptionStart = ',"schema":{"inputObjectTypes":'
const nextMember = ',"mappings":{"modelOperations":'

/** A request as text, without the description of Prisma Client. */
export function cutClientDescription(line: Buffer): string {
  const [start, end] = [line.indexOf(descriptionStart), line.indexOf(nextMember)]
  if (start < 0 || end < start) return line.toString()
  return line.toString('utf8', 0, start) + line.toString('utf8', end)
}
