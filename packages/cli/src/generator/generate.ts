import { dirname, join, relative, sep } from 'node:path'
import { schemaDigest } from '@prismapi/core/server/schema-digest'
import type { Resources } from '@prismapi/jsonapi/model/meta'
import type { GeneratorOptions } from '../prisma/schema-description.ts'
import { annotationProblems } from './check-annotations.ts'
import { clientImport, findProvider, searchesTexts } from './client-import.ts'
import { toResources } from './from-dmmf.ts'
import { renderResources } from './render.ts'

export interface GeneratedFile {
  readonly path: string
  readonly text: string
}

/**
 * In: what `prisma generate` tells a generator. Out: the file that it asks for, not written yet.
 * Throws an Error that begins with the schema's path, which Prisma prints before it exits with 1.
 */
export function planFile(options: GeneratorOptions): GeneratedFile {
  const { schemaPath, generator, dmmf, datamodel: schema } = options
  checkAnnotations(options)
  const folder = generator.output?.value
  if (!folder) {
    throw new Error(`${schemaPath}: generator ${generator.name} has no output. Add \`output = "./generated"\` to it.`)
  }
  const order = generator.sourceFilePath === schemaPath ? 'schema' : 'name'
  const resources = toResources(dmmf.datamodel, { provider: findProvider(options), schema, order })
  return resourcesFile(join(folder, 'resources.ts'), resources, options)
}

type Origin = Pick<GeneratorOptions, 'schemaPath' | 'otherGenerators'>

/** The file of what was read from the schema. */
export function resourcesFile(
  path: string,
  resources: Resources,
  { schemaPath, otherGenerators }: Origin,
): GeneratedFile {
  const folder = dirname(path)
  const origin = {
    schema: relative(folder, schemaPath).split(sep).join('/'),
    digest: schemaDigest(schemaPath) as string,
  }
  const client = {
    specifier: clientImport({ schemaPath, otherGenerators }, folder),
    searchesTexts: searchesTexts({ otherGenerators }),
  }
  return { path, text: renderResources(resources, client, origin) }
}

function checkAnnotations({ schemaPath, dmmf }: GeneratorOptions): void {
  const problems = annotationProblems(dmmf.datamodel)
  if (problems.length > 0) throw new Error(problems.map((problem) => `${schemaPath}: ${problem}`).join('\n'))
}
