import { relative, sep } from 'node:path'
import type { GeneratorOptions } from '@prisma/generator-helper'

type Context = Pick<GeneratorOptions, 'schemaPath' | 'otherGenerators'>
type Generator = Context['otherGenerators'][number]

/** The specifier by which a file in `folder` imports the types of the application's Prisma Client. */
export function clientImport({ schemaPath, otherGenerators }: Context, folder: string): string {
  const byProvider = (name: string) => otherGenerators.find(({ provider }) => provider.value === name)
  const client = byProvider('prisma-client')
  // A type import may end with `.ts` whatever the application's compiler options are.
  if (client) return `${pathTo(client, folder)}/client.${extension(client)}`
  const legacy = byProvider('prisma-client-js')
  if (legacy) return legacy.isCustomOutput ? `${pathTo(legacy, folder)}/index.js` : '@prisma/client'
  throw new Error(
    `${schemaPath}: no Prisma Client to take the types from. Add a generator with the provider "prisma-client"; ` +
      'where `prisma generate --generator` names this generator, name that one too.',
  )
}

function pathTo({ output }: Generator, folder: string): string {
  const path = relative(folder, output?.value ?? '')
    .split(sep)
    .join('/')
  if (path === '') return '.'
  return path.startsWith('.') ? path : `./${path}`
}

// Prisma's own option for the ending of the files that it writes.
function extension({ config }: Generator): string {
  const { generatedFileExtension } = config
  return typeof generatedFileExtension === 'string' ? generatedFileExtension : 'ts'
}
