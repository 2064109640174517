import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const root = path.resolve(import.meta.dirname, '../..')

/** Where the cursor stands. */
const cursor = '/*|*/'

/** What an editor tells of a file of the application, as TypeScript's language server says it. */
export interface Editor {
  /** What is underlined as an error, with what is told of it: `'ADMINN': Type …`. */
  problems(code: string): Promise<readonly string[]>
  /** What is offered at the cursor. */
  offered(code: string): Promise<readonly string[]>
  close(): void
}

interface Range {
  readonly start: { readonly line: number; readonly character: number }
  readonly end: { readonly line: number; readonly character: number }
}

export async function openEditor(): Promise<Editor> {
  // Inside the package, or `prismapi` would not be found; a dot keeps tsc and vitest away from it.
  const folder = mkdtempSync(path.join(root, 'test/.tmp-'))
  const files = ['own.ts', '../../src/app/auth.ts', '../../prisma/generated/resources.ts']
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', files, include: [] }),
  )
  writeFileSync(path.join(folder, 'own.ts'), '')
  const server = await languageServer(folder)
  const uri = pathToFileURL(path.join(folder, 'own.ts')).href
  const textDocument = { uri }
  let version = 0
  const show = (text: string) => {
    const shown = { uri, languageId: 'typescript', version: ++version, text }
    if (version === 1) return server.tell('textDocument/didOpen', { textDocument: shown })
    server.tell('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] })
  }
  return {
    async problems(code) {
      show(code)
      const { items } = await server.ask('textDocument/diagnostic', { textDocument })
      const told = items as readonly { readonly range: Range; readonly severity: number; readonly message: string }[]
      return told
        .filter(({ severity }) => severity === 1)
        .map(({ range, message }) => `${underlined(code, range)}: ${message}`)
    },
    async offered(code) {
      const before = code.slice(0, code.indexOf(cursor))
      show(code.replace(cursor, ''))
      const lines = before.split('\n')
      const position = { line: lines.length - 1, character: lines.at(-1)?.length }
      const { items } = await server.ask('textDocument/completion', { textDocument, position })
      return (items as readonly { readonly label: string }[]).map(({ label }) => label.replace('?', '')).sort()
    },
    close() {
      server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const underlined = (code: string, { start, end }: Range): string =>
  start.line === end.line ? (code.split('\n')[start.line]?.slice(start.character, end.character) ?? '') : '…'

interface Server {
  ask(method: string, params: object): Promise<Readonly<Record<string, unknown>>>
  tell(method: string, params: object): void
  close(): void
}

interface Answer {
  readonly id?: number
  readonly method?: string
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message: string }
}

async function languageServer(folder: string): Promise<Server> {
  const program = path.join(root, 'node_modules/.bin/tsc')
  const child = spawn(program, ['--lsp', '--stdio'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (answer: Answer) => void>()
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  read(child, (answer) => {
    // What it asks of an editor, such as for its settings, has no answer here.
    if (answer.method) return answer.id !== undefined && send({ id: answer.id, result: null })
    waiting.get(answer.id as number)?.(answer)
  })
  let asked = 0
  const server: Server = {
    async ask(method, params) {
      const id = ++asked
      const { result, error } = await new Promise<Answer>((resolve) => {
        waiting.set(id, resolve)
        send({ id, method, params })
      })
      if (error) throw new Error(`${method}: ${error.message}`)
      return result ?? {}
    },
    tell: (method, params) => send({ method, params }),
    close: () => void child.kill(),
  }
  await server.ask('initialize', { processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities: {} })
  server.tell('initialized', {})
  return server
}

function read({ stdout }: ChildProcess, take: (answer: Answer) => void): void {
  let rest = Buffer.alloc(0)
  stdout?.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    for (;;) {
      const head = rest.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/.exec(rest.toString('latin1', 0, head))?.[1])
      if (head < 0 || rest.length < head + 4 + length) return
      take(JSON.parse(rest.toString('utf8', head + 4, head + 4 + length)))
      rest = rest.subarray(head + 4 + length)
    }
  })
}
