import { renderResources } from '@prismapi/cli/generator/render'
import { describe, expect, test } from 'vitest'
import { client, origin } from '../../../cli/test/generator/dmmf.ts'
import type { ModelMeta } from '../../src/model/meta.ts'
import { compileRegistry } from '../../src/schema/registry.ts'
import { type AnySchema, Schema } from '../../src/schema/schema.ts'
import { columnOf, modelOf, relationOf, resourcesOf } from './meta.ts'

const id = columnOf('id', 'Int', { default: 'autoincrement' })
const user = modelOf('User', {
  columns: [id, columnOf('name', 'String')],
  relations: [relationOf('logs', 'Log', { isList: true, inverse: 'user' })],
})
const log: ModelMeta = {
  ...modelOf('Log', {
    columns: [id, columnOf('userId', 'Int', { isForeignKey: true })],
    relations: [
      relationOf('user', 'User', { foreignKey: { columns: ['userId'], references: ['id'] }, inverse: 'logs' }),
    ],
  }),
  isHidden: true,
}
const resources = resourcesOf(user, log)

const compile = (schemas: ReadonlyMap<string, AnySchema>, only: readonly string[] | null) =>
  compileRegistry({ resources, schemas, only, maxPageSize: 50, fileOf: (model) => `${model}.schema.ts` })

describe('a model that is annotated with @hidden', () => {
  test('is no type, and no relation leads to it; nothing is wrong with that', () => {
    const { registry, notes } = compile(new Map(), null)
    expect([...registry.byType.keys()]).toEqual(['users'])
    expect([...(registry.byType.get('users')?.relations.keys() ?? [])]).toEqual([])
    expect(notes).toEqual({ hidden: [], secrets: [], renamed: [], skipped: [], warnings: [] })
  })

  test('cannot be served by a schema class, nor by the list of a server', () => {
    const schemas = new Map([['Log', new (class extends Schema<never> {})() as unknown as AnySchema]])
    const why = 'Log is annotated with @hidden, so that no server serves it. Remove the annotation, or'
    expect(() => compile(schemas, null)).toThrow(`Log.schema.ts: ${why} its schema class.`)
    expect(() => compile(new Map(), ['User', 'Log'])).toThrow(`models: ${why} its name there.`)
  })

  test('is in the data that is generated, and in conditions alone of the types: no policy can be about it', () => {
    const text = renderResources(resources, client, origin)
    expect(text).toContain('isHidden: true')
    expect(text).toContain('UserTypes')
    expect(text).toContain('logs?: types.ToManyFilter<LogWhere>')
    expect(text).toContain('export type LogWhere = ')
    expect(text).not.toContain('LogTypes')
    expect(text).not.toContain('LogData')
  })
})
