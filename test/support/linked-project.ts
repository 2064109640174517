import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { userEnv, writeBelow } from './clone.ts'
import { freePort } from './npm-start.ts'

const root = path.resolve(import.meta.dirname, '../..')
const source = ['--conditions=prismapi/source', '--import', 'tsx']

export interface LinkedProject {
  readonly folder: string
  write(file: string, text: string): void
  /** What a command says on stdout. */
  node(...args: string[]): Promise<string>
  prismapi(...args: string[]): Promise<string>
  prisma(...args: string[]): Promise<string>
  /** What tsc says of it. */
  tsc(): Promise<string>
  /** What it answers, as `src/app/main.ts` serves it. */
  ask(url: string): Promise<{ readonly status: number; readonly document: object }>
  /** What `src/app/main.ts` says where it does not start. */
  refusal(more?: Readonly<Record<string, string>>): Promise<string>
  /** `src/app/main.ts`, once it listens. */
  serve(): Promise<Serving>
  remove(): void
}

interface Serving {
  readonly url: string
  /** All that it has said so far. */
  said(): string
  stop(): Promise<void>
}

/** An empty project of somebody who has installed this package and Prisma: without npm, and from its sources. */
export function linkProject(more: Readonly<Record<string, string>>): LinkedProject {
  const folder = mkdtempSync(path.join(tmpdir(), 'prismapi-linked-'))
  const bin = linkModules(path.join(folder, 'node_modules'))
  const env = userEnv({
    PRISMA_SCHEMA_ENGINE_BINARY: path.join(root, 'packages/cli/assets/schema-engine.mjs'),
    NO_COLOR: '1',
    ...more,
  })
  env.PATH = `${bin}:${env.PATH}`

  const node = (...args: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) => {
        if (error) reject(new Error(`${args.join(' ')}: ${stdout}${stderr}`))
        else resolve(stdout)
      })
    })
  const serve = async (): Promise<Serving> => {
    const port = await freePort()
    const { ready, said, stop } = start(folder, { ...env, PORT: `${port}` })
    await ready
    return { url: `http://127.0.0.1:${port}`, said, stop }
  }
  return {
    folder,
    write: (file, text) => writeBelow(folder, file, text),
    node,
    prismapi: (...args) => node(...source, path.join(root, 'packages/cli/src/main.ts'), ...args),
    prisma: (...args) => node('node_modules/prisma/build/index.js', ...args),
    tsc() {
      const compilerOptions = {
        ...{ customConditions: ['prismapi/source'], lib: ['es2023', 'es2024.string', 'esnext.disposable'] },
        ...{ allowImportingTsExtensions: true, rewriteRelativeImportExtensions: false, noEmit: true },
      }
      const config = { extends: './tsconfig.json', compilerOptions }
      writeBelow(folder, 'tsconfig.sources.json', JSON.stringify(config))
      return node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.sources.json', '--pretty', 'false')
    },
    async ask(url) {
      const { url: origin, stop } = await serve()
      try {
        const response = await fetch(`${origin}${url}`)
        return { status: response.status, document: (await response.json()) as object }
      } finally {
        await stop()
      }
    },
    async refusal(more) {
      const { ready, stop } = start(folder, { ...env, PORT: '0', ...more })
      const said = await ready.then(
        () => 'It started.',
        ({ message }: Error) => message,
      )
      await stop()
      return said
    },
    serve,
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** The folder of commands. */
function linkModules(modules: string): string {
  const bin = path.join(modules, '.bin')
  mkdirSync(bin, { recursive: true })
  for (const name of readdirSync(path.join(root, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name))
  const generator = path.join(bin, 'prisma-generator-resources')
  const file = path.join(root, 'packages/cli/src/generator/bin.ts')
  writeFileSync(generator, `#!/bin/sh\nexec node ${source.join(' ')} "${file}" "$@"\n`)
  chmodSync(generator, 0o755)
  return bin
}

function start(cwd: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [...source, 'src/app/main.ts'], { cwd, env })
  const ended = new Promise((resolve) => child.once('close', resolve))
  let said = ''
  const ready = new Promise<void>((resolve, reject) => {
    const hear = (text: Buffer) => {
      said += text
      if (said.includes(' listens on ')) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    void ended.then(() => reject(new Error(said)))
  })
  const stop = async () => {
    child.kill()
    await ended
  }
  return { ready, said: () => said, stop }
}
