import type { DMMF } from '@prisma/generator-helper'
import { parseComment } from './annotations.ts'

/** What is wrong with `@version` above a field; empty where it does not stand there. */
export function versionProblems(model: DMMF.Model, field: DMMF.Field): string[] {
  if (!isVersion(field)) return []
  const isCounter = field.type === 'Int' && field.isRequired && !field.isList
  const first = model.fields.find(isVersion)
  return [
    ...(isCounter ? [] : ['@version stands above a required Int, which counts the changes of the row.']),
    ...(first === field ? [] : [`@version stands above ${first?.name} already, and a row has one version.`]),
  ]
}

const isVersion = ({ documentation }: DMMF.Field): boolean => parseComment(documentation).annotations.has('version')
