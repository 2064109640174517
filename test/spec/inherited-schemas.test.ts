import { expect, test } from 'vitest'
import { useBoot } from '../support/boot.ts'

const boot = useBoot()

const schema = (model: string, field: string, of = 'Schema', from = 'prismapi') => `import ${
  from === 'prismapi' ? `{ ${of} }` : of
} from '${from}'
export default class ${model}Schema extends ${of} {
  fields() {
    return [this.attribute('${field}').hidden()]
  }
}`
const later = (name: string, of: string) => `import Earlier from '../${of}/server.js'
export default class Later extends Earlier {
  name = '${name}'
}`
const files = {
  'src/app/v1/post.schema.js': schema('Post', 'content'),
  'src/app/v1/tag.schema.js': schema('Tag', 'name'),
  'src/app/v2/server.js': later('v2', 'v1'),
  'src/app/v2/video.schema.js': schema('Video', 'title'),
  'src/app/v3/server.js': later('v3', 'v2'),
  'src/app/v3/tag.schema.js': `import { Schema } from 'prismapi'
export default class TagSchema extends Schema {}`,
}

test('a server whose class extends that of another one has its schema classes where it has none of its own', async () => {
  const { servers } = await boot(files)
  const shown = Object.fromEntries(
    servers.map(({ name, schemas }) => [
      name,
      (
        [
          ['Post', 'content'],
          ['Tag', 'name'],
          ['Video', 'title'],
        ] as const
      )
        .filter(([model, field]) => schemas.byModel.get(model)?.attributes.has(field))
        .map(([model]) => model),
    ]),
  )
  expect(shown).toEqual({ v1: ['Video'], v2: [], v3: ['Tag'] })
})

test('one that extends none has what was inferred', async () => {
  const other = "import { Server } from 'prismapi'\nexport default class V2 extends Server {\n  name = 'v2'\n}"
  const { servers } = await boot({ ...files, 'src/app/v2/server.js': other, 'src/app/v3/server.js': later('v3', 'v2') })
  expect(
    servers
      .find(({ name }) => name === 'v2')
      ?.schemas.byModel.get('Post')
      ?.attributes.has('content'),
  ).toBe(true)
})

test('what is wrong with an inherited class is said with its file and the server', async () => {
  const wrong = { ...files, 'src/app/v2/server.js': `${later('v2', 'v1').slice(0, -1)}  models = ['Post']\n}` }
  const text = { ...wrong, 'src/app/v1/post.schema.js': schema('Post', 'contnt') }
  await expect(boot(text)).rejects.toThrow('src/app/v1/post.schema.js: ')
})
