import { existsSync, readFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { Part as Json } from '@prismapi/openapi/described'
import { UsageError } from '../command.ts'
import { loadFile } from '../load-file.ts'
import { inferredSurface } from './inferred.ts'
import { readSurface } from './read-surface.ts'
import type { Surface } from './surface.ts'

export interface ReadApi {
  readonly kind: 'an OpenAPI document' | 'a resource file'
  readonly surface: Surface
}

/**
 * Reads an API from a file: an OpenAPI document (`.json`), or the resources of `prisma generate` (`.ts`, `.js`,
 * `.mjs`).
 */
export async function readApi(root: string, file: string): Promise<ReadApi> {
  if (!existsSync(resolve(root, file))) throw new UsageError(`${file}: there is no such file.`)
  const extension = extname(file)
  if (extension === '.json') return { kind: 'an OpenAPI document', surface: readSurface(readDocument(root, file)) }
  if (['.ts', '.mts', '.js', '.mjs'].includes(extension))
    return { kind: 'a resource file', surface: await readInferred(root, file) }
  throw new UsageError(
    `${file} is neither an OpenAPI document (.json, as prismapi openapi writes it) nor a resource file (.ts, .js).`,
  )
}

function readDocument(root: string, file: string): Json {
  const document = parse(root, file)
  const isOpenApi = typeof document?.openapi === 'string' && document.openapi.startsWith('3.')
  if (isOpenApi && document.paths && document.info) return document
  throw new UsageError(`${file} is no OpenAPI document. Write one with prismapi openapi --out=${file}.`)
}

function parse(root: string, file: string): Json | null {
  try {
    return JSON.parse(readFileSync(resolve(root, file), 'utf8'))
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

async function readInferred(root: string, file: string): Promise<Surface> {
  const { resources } = (await loadFile(root, file)) as { readonly resources?: Resources }
  if (!resources?.models)
    throw new UsageError(`${file} exports no resources. Name the resources.ts that prisma generate wrote.`)
  return inferredSurface(resources)
}
