import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Persona, UserType } from '@prismapi/proof/model/persona'
import type { PolicyModel } from '@prismapi/proof/model/policy-model'
import { UsageError } from '../command.ts'

/** What a checkout is asked: which callers there are is said here, so that both sides are asked about the same ones. */
export interface ModelRequest {
  readonly personas: readonly Persona[]
  readonly userType: UserType
}

/** Another checkout: a process of its own loads it by this version of the framework, while this side is loaded. */
export interface OtherCheckout {
  /** What its policies allow. */
  model(request: ModelRequest): Promise<PolicyModel>
  /** Ends its process. */
  close(): void
}

/** @param root the folder of this side, whose packages the other one may borrow. */
export function openCheckout(folder: string, root: string): OtherCheckout {
  const cwd = resolve(root, folder)
  if (!existsSync(join(cwd, 'package.json')))
    throw new UsageError(`${folder} is no checkout of an application: it has no package.json.`)
  const child = spawn(process.execPath, [...process.execArgv, file, root], {
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_PATH: packagePaths(root) },
  })
  const ended = endOf(child)
  // It is told of the failure where it is asked.
  ended.catch(() => {})
  child.stdin.on('error', () => {})
  return {
    async model(request) {
      child.stdin.end(JSON.stringify(request))
      const { code, stdout, stderr } = await ended
      if (code !== 0) throw new UsageError(`${folder}: ${stderr.trim() || `its process ended with ${code}`}`)
      return JSON.parse(stdout) as PolicyModel
    },
    close: () => void child.kill(),
  }
}

/** Where `require` looks after the checkout's own packages; imports are led there by the process. */
function packagePaths(root: string): string {
  const own = createRequire(join(root, 'package.json')).resolve.paths('prismapi') ?? []
  return [...own, ...(process.env.NODE_PATH ? [process.env.NODE_PATH] : [])].join(delimiter)
}

const file = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './model-child.ts' : './model-child.js', import.meta.url),
)

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const code = new Promise<number | null>((done, fail) => {
    child.on('error', fail)
    child.on('close', done)
  })
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
  return { code: await code, stdout: await stdout, stderr: await stderr }
}
