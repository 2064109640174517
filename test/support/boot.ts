import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createApi, discover, type PrismApi } from 'prismapi'
import { afterEach } from 'vitest'
import { resources } from '../../prisma/generated/resources.ts'

const server = `import { Server } from 'prismapi'
export default class V1 extends Server {
  name = 'v1'
}`

/** Starts applications as far as their files go: they are found, read and checked, and nothing is asked of a database. */
export function useBoot() {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })

  /** An application of these JavaScript files, and of one server. */
  return async (files: Readonly<Record<string, string>>, baseUrl = 'http://a.example'): Promise<PrismApi> => {
    // Inside the package, or the files could not import it.
    const root = mkdtempSync(path.join(import.meta.dirname, '../.tmp-'))
    folders.push(root)
    for (const [file, text] of Object.entries({ 'src/app/v1/server.js': server, ...files })) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
      writeFileSync(path.join(root, file), text)
    }
    const logger = { debug() {}, info() {}, warn() {}, error() {} }
    const clients = { reader: {}, writer: {} } as never
    const found = await discover({ root, resources })
    return createApi({ ...found, resources, clients, logger, baseUrl })
  }
}
