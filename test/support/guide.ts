import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeBelow } from './clone.ts'
import { openServer, type RunningServer } from './npm-start.ts'
import { openShell, type Shell } from './shell.ts'

/** What a page shows, and what there was when its commands were followed. */
export interface Shown {
  readonly line: number
  readonly shown: unknown
  readonly seen: unknown
}

interface Block {
  readonly line: number
  readonly language: string
  readonly verb: string | undefined
  readonly file: string
  readonly code: string
}

/** The blocks of a page: "```ts write=path" is a file to be written, "```ts shows=path" one that is there. */
export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w+)(?: (write|shows)=(\S+))?\n([\s\S]*?)^```$/gm)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    language: match[1] as string,
    verb: match[2],
    file: match[3] ?? '',
    code: match[4] as string,
  }))

/** Follows a page as a reader would: one shell for the commands, another one for `npm start`, until the next of these. */
export class Reader implements AsyncDisposable {
  readonly #folder: string
  readonly #port: number
  readonly #shell: Shell
  #server: RunningServer | null = null
  #said = ''

  constructor(folder: string, port: number) {
    this.#folder = folder
    this.#port = port
    this.#shell = openShell(folder)
  }

  /** @throws {Error} with the line of a command that fails. */
  async follow(blocks: readonly Block[]): Promise<Shown[]> {
    const all: Shown[] = []
    for (const block of blocks) {
      const seen = await this.#follow(block).catch((error: unknown) => {
        throw new Error(`line ${block.line}: ${(error as Error).message}`, { cause: error })
      })
      if (seen !== null) all.push({ line: block.line, ...seen })
    }
    return all
  }

  async #follow({ language, verb, file, code }: Block): Promise<Omit<Shown, 'line'> | null> {
    if (verb === 'write') writeBelow(this.#folder, file, code)
    else if (verb === 'shows') return { shown: code, seen: readFileSync(path.join(this.#folder, file), 'utf8') }
    else if (language === 'json') return { shown: JSON.parse(code), seen: JSON.parse(this.#said) }
    // Before it, npm and Prisma say what they do.
    else if (language === 'text') return { shown: code.trim(), seen: this.#said.trim().split('\n').at(-1) }
    else if (language === 'sh') this.#said = this.#toPage(await this.#run(code))
    return null
  }

  async #run(code: string): Promise<string> {
    if (code.trim() !== 'npm start')
      return this.#shell.run(code.replaceAll('127.0.0.1:3000', `127.0.0.1:${this.#port}`))
    await this.#server?.stop()
    this.#server = await openServer(this.#folder, this.#port)
    return this.#server.said
  }

  #toPage(text: string): string {
    return text.replaceAll(`127.0.0.1:${this.#port}`, '127.0.0.1:3000')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#shell.close()
    await this.#server?.stop()
  }
}
