// `prismapi policies diff` starts this in the folder of another checkout, with that of its own side. It prints what the
// policies there allow to the given callers, as JSON.
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { policyModel } from '@prismapi/proof/model/policy-model'
import { hookImports } from '../hook-imports.ts'
import { messageOf, readTypeScript } from '../load-file.ts'
import { readApplication } from './application.ts'
import { giveFramework } from './give-framework.ts'
import type { ModelRequest } from './other-checkout.ts'

// Both sides are judged by one version of the framework; a checkout without packages borrows those of this side.
const hooks = `
let framework, packages
export function initialize(data) {
  framework = data.framework
  packages = data.packages
}
export function resolve(specifier, context, next) {
  if (/^prismapi($|\\/)/.test(specifier)) return next(specifier, { ...context, parentURL: framework })
  const borrow = (error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || /^[./]|^file:/.test(specifier)) throw error
    return next(specifier, { ...context, parentURL: packages })
  }
  try {
    const found = next(specifier, context)
    return found instanceof Promise ? found.catch(borrow) : found
  } catch (error) {
    return borrow(error)
  }
}`

async function main(root: string): Promise<void> {
  await giveFramework()
  await readTypeScript(root)
  const data = { framework: import.meta.url, packages: pathToFileURL(join(root, 'package.json')).href }
  await hookImports(hooks, data)
  const { servers } = await readApplication(process.cwd())
  const { personas, userType } = JSON.parse(await text(process.stdin)) as ModelRequest
  process.stdout.write(JSON.stringify(await policyModel(servers, personas, userType)))
}

main(process.argv[2] as string).catch((error: unknown) => {
  process.stderr.write(messageOf(error))
  process.exitCode = 1
})
