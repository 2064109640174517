import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeBelow } from './clone.ts'
import { freePort, startServer } from './npm-start.ts'
import { openShell, type ShellOptions } from './shell.ts'

/** What a page shows, and what there was when its commands were followed. */
interface Answer {
  readonly line: number
  readonly shown: unknown
  readonly seen: unknown
}

interface Block {
  readonly line: number
  readonly language: string
  readonly verb: string | undefined
  readonly file: string
  /** The reader has ended the server before. */
  readonly isStopped: boolean
  readonly code: string
}

// "```sh stopped" comes after Ctrl+C, "```ts write=path" is a file to be written, "```ts shows=path" one that a command has written.
const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w+)(?: (write|shows)=(\S+)| (stopped))?\n([\s\S]*?)^```$/gm)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    language: match[1] as string,
    verb: match[2],
    file: match[3] ?? '',
    isStopped: match[4] !== undefined,
    code: match[5] as string,
  }))

/**
 * Follows a page as its reader would: with one shell for the commands, and another one for `npm start`, which ends at the
 * next of these. The port is a free one; in what is seen it is 3000, as on the page.
 *
 * @throws {Error} with the line of a command that fails.
 */
export async function followGuide(
  page: string,
  folder: string,
  options: ShellOptions = {},
): Promise<readonly Answer[]> {
  const port = await freePort()
  const shell = openShell(folder, options)
  let stopServer = async (): Promise<void> => {}
  let said = ''
  const run = async (code: string): Promise<string> => {
    if (code !== 'npm start\n') return shell.run(code.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`))
    await stopServer()
    const server = await startServer(folder, port, options.env)
    stopServer = server.stop
    return server.said
  }
  const answers: Answer[] = []
  try {
    for (const block of blocksOf(page)) {
      if (block.isStopped) await stopServer()
      if (block.verb === 'write') writeBelow(folder, block.file, block.code)
      else if (block.language !== 'sh') answers.push(toAnswer(block, said, folder))
      else said = (await run(block.code).catch(atLine(block))).replaceAll(`127.0.0.1:${port}`, '127.0.0.1:3000')
    }
    return answers
  } finally {
    shell.close()
    await stopServer()
  }
}

function toAnswer({ line, language, verb, file, code }: Block, said: string, folder: string): Answer {
  if (verb === 'shows') return { line, shown: code, seen: readFileSync(path.join(folder, file), 'utf8') }
  if (language === 'json') return { line, shown: JSON.parse(code), seen: JSON.parse(said) }
  // Before it, npm and Prisma say what they do.
  if (language === 'text') return { line, shown: code.trim(), seen: said.trim().split('\n').at(-1) }
  throw new Error(`line ${line}: ${language} is neither a command, nor an answer, nor a file with a name.`)
}

const atLine =
  ({ line }: Block) =>
  (error: Error): never => {
    throw new Error(`line ${line}: ${error.message}`, { cause: error })
  }
