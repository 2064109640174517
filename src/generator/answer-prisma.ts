import type { GeneratorManifest, GeneratorOptions } from '@prisma/generator-helper'

/** What a generator is asked by `prisma generate`: JSON-RPC, a message per line, questions on stdin and answers on stderr. */
export interface Generator {
  manifest(): GeneratorManifest
  generate(options: GeneratorOptions): Promise<void>
}

interface Question {
  readonly id: number
  readonly method: string
  readonly params: GeneratorOptions
}

/**
 * Answers Prisma until it has no more questions. `@prisma/generator-helper` would do the same, and read all of a message: of 302
 * models that is 130 MB which take seconds, nearly all of it the description that Prisma Client is made of.
 */
export async function answerPrisma(generator: Generator): Promise<void> {
  for await (const line of linesOf(process.stdin)) {
    const { id, method, params } = JSON.parse(withoutDescription(line)) as Question
    process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...(await answer(generator, method, params)) })}\n`)
  }
}

async function answer(generator: Generator, method: string, options: GeneratorOptions): Promise<object> {
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

async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)])
      pieces = []
      start = end + 1
    }
    pieces.push(chunk.subarray(start))
  }
}

// No text holds these: in JSON its quotes would have backslashes before them.
const beginning = ',"schema":{"inputObjectTypes":'
const end = ',"mappings":{"modelOperations":'

/** A message as text, without what Prisma Client is made of. */
export function withoutDescription(line: Buffer): string {
  const [from, to] = [line.indexOf(beginning), line.indexOf(end)]
  if (from < 0 || to < from) return line.toString()
  return line.toString('utf8', 0, from) + line.toString('utf8', to)
}
