import { type ModelName, Schema, Server } from 'prismapi'
import { type Feature, FeatureKey, FieldOption } from 'prismapi/features'
import { describe, expect, test } from 'vitest'
import { openTestDatabase } from '../support/database.ts'
import { plain, startServers, useServers } from '../support/servers.ts'

const unit = new FieldOption<string>('unit')

class Videos extends Schema<'Video'> {
  override fields() {
    return [
      this.attribute('durationSeconds').named('duration').with(unit, 's'),
      this.attribute('minutes')
        .computed(['durationSeconds'], ({ durationSeconds }) => (durationSeconds ?? 0) / 60)
        .with(unit, 'min'),
      this.relation('comments').with(unit, 'comments'),
      // @ts-expect-error: its values are texts.
      this.attribute('rating').hidden().with(unit, 5),
    ]
  }
}

class V1 extends Server {
  override readonly name: string = 'v1'
  override readonly models: readonly ModelName[] = ['User', 'Post', 'Tag', 'Video', 'Comment']
  override authorizable() {
    return false
  }
}

/** Says the units of all fields in a header. */
const units: Feature = {
  compiled: { key: new FeatureKey('units'), compile: () => true, fieldOptions: [unit] },
  serve:
    () =>
    ({ schemas }) => {
      const told = [...schemas.byType.values()].flatMap(({ type, attributes, relations }) =>
        [...attributes.values(), ...relations.values()].flatMap((field) => {
          const value = unit.of(field)
          return value === null ? [] : `${type}.${field.name}=${value}`
        }),
      )
      return {
        around: (next) => (call) => {
          call.koa.set('Units', told.join())
          return next(call)
        },
      }
    },
}

const parts = { servers: [plain(V1, { schemas: new Map([['Video', Videos]]) })], policies: new Map() }
const api = useServers(() => ({ ...parts, features: [units] }))

describe('an option of a field that a feature has', () => {
  test('is given by the schema class, and read by the feature', async () => {
    const { status, headers } = await api.as(null)('GET', '/api/v1/videos')
    expect(status).toBe(200)
    expect(headers.get('Units')).toBe('videos.duration=s,videos.minutes=min,videos.comments=comments')
  })

  test('stops the start where no feature has it, whatever it is called', async () => {
    const twin: Feature = { compiled: { ...units.compiled, fieldOptions: [new FieldOption('unit')] } as never }
    const database = await openTestDatabase()
    try {
      for (const features of [[], [twin]])
        await expect(startServers(database, { ...parts, features })).rejects.toThrow(
          'Video: the field duration has the option unit, and no feature has it. Add its feature to src/app/features.ts, or remove the option.',
        )
    } finally {
      await database.close()
    }
  })
})
