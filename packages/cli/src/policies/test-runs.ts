import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { extname, join, relative, resolve, sep } from 'node:path'
import type { Mutant } from '@prismapi/proof/coverage/mutants'
import { UsageError } from '../command.ts'

/** The end of a run of tests. */
export interface TestRun {
  readonly passed: boolean
  /** The end of what it printed. */
  readonly output: string
}

/** What the processes of a run do beside their tests. */
type Told = { readonly mutant: Mutant } | { readonly coverage: string }

/** Runs tests by a command that takes the names of their files, one run at a time. */
export class TestRuns {
  private readonly root: string
  private readonly command: string
  private stopped = false
  private end: (() => void) | null = null

  constructor(root: string, command: string) {
    this.root = root
    this.command = command
  }

  /** @throws {UsageError} for a command that cannot be started, and for a run that was stopped. */
  async run(files: readonly string[], told: Told): Promise<TestRun> {
    if (this.stopped) throw stopped()
    const [program = '', ...args] = this.command.split(/\s+/).filter((word) => word !== '')
    const { promise, resolve: done, reject: fail } = deferred<TestRun>()
    const isWindows = process.platform === 'win32'
    // A group of its own, so that what the command has started ends with it.
    const child = spawn(program, [...args, ...files], {
      cwd: this.root,
      env: { ...process.env, NODE_OPTIONS: [process.env.NODE_OPTIONS, ...preloading(told)].join(' ').trim() },
      stdio: ['ignore', 'pipe', 'pipe'] as const,
      detached: !isWindows,
      shell: isWindows,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-kept)
      })
    this.end = () => {
      if (child.pid === undefined || isWindows) child.kill()
      else process.kill(-child.pid)
    }
    child.on('error', (error) => fail(new UsageError(`${program} cannot be started: ${error.message}`)))
    child.on('close', (code) => {
      this.end = null
      if (this.stopped) fail(stopped())
      else done({ passed: code === 0, output })
    })
    return promise
  }

  /** Ends the run that there is, with all of its processes. */
  stop(): void {
    this.stopped = true
    this.end?.()
  }
}

/** The options by which each process of a run, workers of a test runner too, loads `coverage/preload.mjs` first. */
function preloading(told: Told): readonly string[] {
  const preload = new URL('../../../proof/src/coverage/preload.mjs', import.meta.url)
  const [[name, value] = ['', '']] = Object.entries(told)
  preload.searchParams.set('tools', `./tools-of-tests${extname(import.meta.url)}`)
  preload.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  // How this process reads TypeScript, where it runs from its source.
  return [...process.execArgv, `--import=${preload.href}`]
}

const stopped = (): UsageError => new UsageError('Stopped. No file of the application was changed.')

const kept = 2000

function deferred<T>() {
  let [resolve, reject] = [(_: T) => {}, (_: Error) => {}]
  const promise = new Promise<T>((done, fail) => {
    resolve = done
    reject = fail
  })
  return { promise, resolve, reject }
}

/** The files of tests among files and folders, by their names: `post.test.ts`, `post.spec.js`. */
export function testFiles(root: string, named: readonly string[]): readonly string[] {
  const files = named.flatMap((name) => {
    const place = resolve(root, name)
    const stat = statSync(place, { throwIfNoEntry: false })
    if (!stat) throw new UsageError(`There is no ${name}. Say where the tests are: prismapi policies mutate test/api`)
    return stat.isDirectory() ? filesBelow(place) : [place]
  })
  if (files.length === 0) throw new UsageError(`${named.join(', ')}: there is no file named *.test.* or *.spec.*`)
  return [...new Set(files)].map((file) => relative(root, file).split(sep).join('/')).sort()
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(test|spec)\.[cm]?[jt]sx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))
