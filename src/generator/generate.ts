import { join, relative, sep } from 'node:path'
import type { GeneratorOptions } from '@prisma/generator-helper'
import { schemaDigest } from '../model/schema-digest.ts'
import { annotationProblems } from './check-annotations.ts'
import { clientImport } from './client-import.ts'
import { toResources } from './from-dmmf.ts'
import { findProvider } from './provider.ts'
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
  const origin = {
    schema: relative(folder, schemaPath).split(sep).join('/'),
    digest: schemaDigest(schemaPath) as string,
  }
  return { path: join(folder, 'resources.ts'), text: renderResources(resources, clientImport(options, folder), origin) }
}

function checkAnnotations({ schemaPath, dmmf }: GeneratorOptions): void {
  const problems = annotationProblems(dmmf.datamodel)
  if (problems.length > 0) throw new Error(problems.map((problem) => `${schemaPath}: ${problem}`).join('\n'))
}
