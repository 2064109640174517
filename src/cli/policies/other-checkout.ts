import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Persona, UserType } from '../../proof/model/persona.ts'
import type { PolicyModel } from '../../proof/model/policy-model.ts'
import { UsageError } from '../command.ts'

/** What a checkout is asked: which callers there are is said here, so that both sides are asked about the same ones. */
export interface ModelRequest {
  /** The folder of this side, whose packages the other one may borrow. */
  readonly root: string
  readonly personas: readonly Persona[]
  readonly userType: UserType
}

/** What the policies of another checkout allow: they are loaded in a process of their own, by this version of the framework. */
export async function modelOf(folder: string, request: ModelRequest): Promise<PolicyModel> {
  const root = resolve(request.root, folder)
  if (!existsSync(join(root, 'package.json')))
    throw new UsageError(`${folder} is no checkout of an application: it has no package.json.`)
  const { code, stdout, stderr } = await inChild(root, JSON.stringify(request))
  if (code !== 0) throw new UsageError(`${folder}: ${stderr.trim() || `its process ended with ${code}`}`)
  return JSON.parse(stdout) as PolicyModel
}

function inChild(root: string, input: string) {
  const file = fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? './model-child.ts' : './model-child.js', import.meta.url),
  )
  const child = spawn(process.execPath, [...process.execArgv, file], { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.end(input)
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => done({ code, stdout, stderr }))
  })
}
