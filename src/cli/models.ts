import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nearest } from '../model/nearest.ts'
import { dashed, inferTypes } from '../schema/naming.ts'
import { UsageError } from './command.ts'

/** The models (and views) of the Prisma schema: one file, or all of a folder. */
export function listModels(root: string): readonly string[] {
  return schemaFiles(join(root, 'prisma'))
    .map((file) => readFileSync(file, 'utf8'))
    .flatMap((source) => [...source.matchAll(/^\s*(?:model|view)\s+(\w+)\s*\{/gm)].map((match) => match[1] as string))
}

function schemaFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.prisma'))
    .sort()
    .map((name) => join(folder, name))
}

/** The model that a user means by its own name, its file's (`blog-post`) or its type's (`blog-posts`). */
export function findModel(root: string, name: string): string {
  const models = listModels(root)
  if (models.length === 0) throw new UsageError('No Prisma schema with a model was found in prisma/.')
  const types = inferTypes(models)
  const model = models.find((each) => [each, dashed(each), types.get(each)].includes(name))
  if (model) return model
  const meant = nearest(name, [...models, ...types.values()])
  throw new UsageError(
    `No model or type "${name}". ${meant ? `Did you mean ${meant}?` : `Known: ${models.join(', ')}.`}`,
  )
}
