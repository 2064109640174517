import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { editDistance } from '../model/nearest.ts'
import { dashed, inferTypes } from '../schema/naming.ts'
import { UsageError } from './command.ts'

/** The models (and views) of the Prisma schema: one file, or all of a folder. */
function listModels(root: string): readonly string[] {
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
  const namesOf = (model: string) => [model, dashed(model), types.get(model) as string]
  const model = models.find((each) => namesOf(each).includes(name))
  if (model) return model
  const meant = nearestModels(name, models, namesOf)
  throw new UsageError(
    `No model or type "${name}". ${meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : `Known: ${models.join(', ')}.`}`,
  )
}

/** At most three models of which a name is at most a third of its letters away, the nearest first. */
function nearestModels(
  name: string,
  models: readonly string[],
  namesOf: (model: string) => readonly string[],
): readonly string[] {
  const word = name.toLowerCase()
  return models
    .map((model) => ({
      model,
      distance: Math.min(...namesOf(model).map((each) => editDistance(word, each.toLowerCase()))),
    }))
    .filter(({ distance }) => distance <= Math.max(2, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ model }) => model)
}
