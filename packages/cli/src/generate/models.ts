import type { Resources } from '@prismapi/jsonapi/model/meta'
import { editDistance } from '@prismapi/jsonapi/model/nearest'
import { dashed, inferTypes } from '@prismapi/jsonapi/schema/naming'
import { type Command, type Input, nameOf, UsageError } from '../command.ts'
import { readResources } from '../prisma-schema.ts'

/** The model that a generator is asked for, and the Prisma schema that it is of. */
export async function readModel(
  input: Input,
  command: Pick<Command, 'usage'>,
): Promise<{ readonly resources: Resources; readonly model: string }> {
  const name = nameOf(input, command)
  const resources = await readResources(input.root)
  return { resources, model: findModel(resources, name) }
}

/** The model that a user means by its own name, its file's (`blog-post`) or its type's (`blog-posts`). */
function findModel(resources: Resources, name: string): string {
  const models = Object.values(resources.models).flatMap(({ name, isHidden }) => (isHidden ? [] : [name]))
  if (models.length === 0) throw new UsageError('The Prisma schema has no model yet.')
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
