import { readFileSync, writeFileSync } from 'node:fs'
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

// "```sh stopped" comes after Ctrl+C, "```ts write=path" is a file to be written, "```ts shows=path" one that a command has written,
// "```diff edit=path" a change of a file, and "![…](images/name.png)" what its reader sees in a browser by then.
const blocksOf = (text: string): Block[] =>
  [
    ...text.matchAll(
      /^```(\w+)(?: (write|shows|edit)=(\S+)| (stopped))?\n([\s\S]*?)^```$|^!\[[^\]]*\]\(images\/(\S+)\.png\)$/gm,
    ),
  ].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    language: match[1] ?? 'picture',
    verb: match[2],
    file: match[3] ?? match[6] ?? '',
    isStopped: match[4] !== undefined,
    code: match[5] ?? '',
  }))

interface GuideOptions extends ShellOptions {
  /** Looks at a picture of the page, at the origin of the server that runs. */
  readonly see?: (name: string, origin: string) => Promise<void>
}

/**
 * Follows a page as its reader would: with one shell for the commands, and another one for `npm start`, which ends at the
 * next of these. The port is a free one; in what is seen it is 3000, as on the page.
 *
 * @throws {Error} with the line of a command that fails.
 */
export async function followGuide(
  page: string,
  folder: string,
  { see = async () => {}, ...options }: GuideOptions = {},
): Promise<readonly Answer[]> {
  const port = await freePort()
  const shell = openShell(folder, options)
  // Where the commands before have led.
  const here = async () => (await shell.run('pwd\n')).trim()
  let stopServer = async (): Promise<void> => {}
  let isServing = false
  let said = ''
  const run = async (code: string): Promise<string> => {
    if (code !== 'npm start\n') return shell.run(code.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`))
    await stopServer()
    const server = await startServer(await here(), port, options.env)
    stopServer = server.stop
    isServing = true
    return server.said
  }
  const answers: Answer[] = []
  try {
    for (const block of blocksOf(page)) {
      if (block.isStopped) await stopServer()
      if (block.verb === 'write') writeBelow(await here(), block.file, block.code)
      else if (block.verb === 'edit') edit(await here(), block)
      else if (block.language === 'picture') {
        if (isServing) await see(block.file, `http://127.0.0.1:${port}`)
      } else if (block.language !== 'sh') answers.push(toAnswer(block, said, await here()))
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

/** Changes a file as a diff shows: the lines with a minus become those with a plus. */
function edit(folder: string, { line, file, code }: Block): void {
  const lines = code.trimEnd().split('\n')
  const without = (mark: string) =>
    lines
      .filter((each) => !each.startsWith(mark))
      .map((each) => each.slice(1))
      .join('\n')
  const text = readFileSync(path.join(folder, file), 'utf8')
  if (text.split(without('+')).length !== 2) throw new Error(`line ${line}: ${file} does not have these lines once.`)
  writeFileSync(
    path.join(folder, file),
    text.replace(without('+'), () => without('-')),
  )
}

const atLine =
  ({ line }: Block) =>
  (error: Error): never => {
    throw new Error(`line ${line}: ${error.message}`, { cause: error })
  }
