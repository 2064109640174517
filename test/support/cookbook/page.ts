import { type Fence, fencesOf, placeOf } from '../documentation/fences.ts'

/** What a page of the cookbook consists of. */
export interface RecipePage {
  /** "```ts write=path", each a whole file. */
  readonly files: readonly Fence[]
  /** "```prisma": the models, where they are not those of the example. */
  readonly models: string | null
  /** "```sql": for the database, before the application starts. */
  readonly statements: readonly string[]
  /** "```json as=name": what a test of the page looks for. */
  readonly named: ReadonlyMap<string, string>
  /** "```http": requests, each with its answer behind it. */
  readonly exchanges: readonly Exchange[]
}

export interface Exchange {
  readonly line: number
  readonly request: Message
  readonly answer: Message
}

/** A request or an answer as a page shows it. */
export interface Message {
  /** `GET /api/v1/posts`, `HTTP/1.1 200 OK` */
  readonly start: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/**
 * A page, without what it says is `on=` another kind of database.
 * @throws {Error} for a fence that no test looks at, and for a request without an answer.
 */
export function readRecipe(name: string, provider: string): RecipePage {
  const fences = fencesOf(`docs/cookbook/${name}.md`).filter(({ says: { on = provider } }) => on === provider)
  const files = fences.filter(({ says }) => says.write)
  const models = fences.filter(({ language }) => language === 'prisma')
  const statements = fences.filter(({ language }) => language === 'sql')
  const named = fences.filter(({ says }) => says.as)
  const messages = fences.filter(({ language }) => language === 'http')
  const others = fences.filter((fence) => ![...files, ...models, ...statements, ...named, ...messages].includes(fence))
  if (others[0])
    throw new Error(`${placeOf(others[0])}: a recipe has files (write=…), models, sql, http, and what is named (as=…).`)
  return {
    files,
    models: models.map(({ code }) => code).join('\n') || null,
    statements: statements.map(({ code }) => code),
    named: new Map(named.map(({ says, code }) => [says.as as string, code])),
    exchanges: toExchanges(messages),
  }
}

function toExchanges(messages: readonly Fence[]): readonly Exchange[] {
  return messages.flatMap((fence, i) => {
    const [request, answer] = [parse(fence), parse(messages[i + 1])]
    if (isAnswer(request)) return []
    if (!answer || !isAnswer(answer)) throw new Error(`${placeOf(fence)}: no answer stands behind this request.`)
    return [{ line: fence.line, request: request as Message, answer }]
  })
}

const isAnswer = (message: Message | null): boolean => message?.start.startsWith('HTTP/1.1 ') ?? false

function parse(fence: Fence | undefined): Message | null {
  if (!fence) return null
  const [head = '', ...rest] = fence.code.trimEnd().split('\n\n')
  const [start = '', ...lines] = head.split('\n')
  const headers = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const)
  return { start, headers, body: rest.join('\n\n') }
}
